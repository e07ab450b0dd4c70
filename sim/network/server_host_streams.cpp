// The part of the host that carries events: what an open stream does next, and how it ends.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/apiserver/read_rules.hpp"
#include "sim/network/server_host.hpp"

namespace watchlab::sim {

using runtime::Lock;
using stream_step::Again;
using stream_step::Deliver;
using stream_step::End;
using stream_step::Wait;

namespace {

/// How long after timeoutSeconds a client gives up a stream that its server should have ended.
constexpr runtime::Duration kClientPatience = std::chrono::seconds(1);

std::optional<runtime::TimePoint> client_gives_up(const Stream& stream) {
  const std::optional<runtime::Duration> asked = asked_timeout(stream.request.options);
  return asked ? std::optional(stream.opened + *asked + kClientPatience) : std::nullopt;
}

std::optional<runtime::TimePoint> earlier(std::optional<runtime::TimePoint> a,
                                          std::optional<runtime::TimePoint> b) {
  return a && b ? std::min(a, b) : (a ? a : b);
}

/// The end of a stream that a fault brings about; nothing when its verdict is another one.
std::optional<End> ending_by(const FaultDecision& decision, runtime::TimePoint left) {
  const auto* in_order = std::get_if<EndStream>(&decision.verdict);
  if (in_order == nullptr && !std::holds_alternative<Fail>(decision.verdict)) {
    return std::nullopt;
  }
  const bool clean = in_order != nullptr && in_order->clean;
  return End{.left = left, .end = clean ? "closed" : "cut", .cause = decision.fault};
}

}  // namespace

MessageContext ServerHost::context_of(const Stream& stream, Stage stage) {
  return {.stage = stage,
          .request = stream.request,
          .exchange = stream.exchange,
          .now = runtime_.now(),
          .opened = stream.opened,
          .frames_sent = stream.frames_sent};
}

FaultDecision ServerHost::evaluate(const Stream& stream, Stage stage, runtime::TimePoint left,
                                   const watch::Event* event) {
  if (faults_.empty()) {
    return {};
  }
  MessageContext context = context_of(stream, stage);
  context.event = event;
  context.left = left;
  FaultDecision decision = faults_.evaluate(context, servers_.store().revision());
  note_fault(decision, stream.request);
  return decision;
}

StreamStep ServerHost::next_step(Stream& stream) {
  Lock lock(mutex_);
  stream.busy = false;
  const runtime::TimePoint now = runtime_.now();
  if (!faults_.empty()) {
    const FaultDecision decision = evaluate(stream, Stage::Stream, now, nullptr);
    if (!passes(decision.verdict)) {
      return step_after(stream, decision, Deliver{.left = now});
    }
  }
  WatchPoll poll = servers_.poll(stream.watch, now);
  wake_concerned();
  if (poll.frame) {
    return step_with(stream, *std::move(poll.frame));
  }
  const std::optional<runtime::TimePoint> timeout = client_gives_up(stream);
  if (timeout && now >= *timeout) {
    return End{.left = now, .end = "closed", .cause = "client timeout"};
  }
  if (poll.ended != WatchEnd::Open && !stream.silent) {
    End end{.left = now, .end = "closed", .cause = std::string(name_of(poll.ended))};
    return step_after(stream, evaluate(stream, Stage::End, now, nullptr), std::move(end));
  }
  Wait wait{earlier(poll.wake_at, timeout)};
  if (!faults_.empty()) {
    wait.wake_at = earlier(wait.wake_at, faults_.next_wake(context_of(stream, Stage::Stream)));
  }
  return wait;
}

StreamStep ServerHost::step_with(Stream& stream, Frame frame) {
  if (stream.silent) {
    lose(stream, frame.event);
    return Again{};
  }
  Deliver deliver{.left = frame.at};
  deliver.events.push_back(std::move(frame.event));
  if (faults_.empty()) {
    leave(stream, deliver);
    return deliver;
  }
  const FaultDecision decision =
      evaluate(stream, Stage::Frame, deliver.left, &deliver.events.front());
  return step_after(stream, decision, std::move(deliver));
}

/// What becomes of events on which the faults have decided. There are none when it was not events
/// that the faults were asked about, but the open stream.
StreamStep ServerHost::step_after(Stream& stream, const FaultDecision& decision, Deliver deliver) {
  const Verdict& verdict = decision.verdict;
  if (std::optional<End> end = ending_by(decision, deliver.left)) {
    const auto* in_order = std::get_if<EndStream>(&verdict);
    if (in_order != nullptr && in_order->torn && !deliver.events.empty()) {
      end->torn = std::move(deliver.events.front());
    }
    return *std::move(end);
  }
  if (const auto* loss = std::get_if<Lose>(&verdict)) {
    for (const watch::Event& event : deliver.events) {
      lose(stream, event);
    }
    stream.silent = stream.silent || loss->and_what_follows;
    return Again{};
  }
  if (const auto* delay = std::get_if<Delay>(&verdict)) {
    deliver.left += delay->by;
  } else if (const auto* rewrite = std::get_if<Rewrite>(&verdict)) {
    deliver.events.assign(rewrite->events.begin(), rewrite->events.end());
    deliver.text = rewrite->text;
  } else if (const auto* distort = std::get_if<Distort>(&verdict)) {
    deliver.distort = distort->how;
    deliver.fault = decision.fault;
  }
  if (deliver.events.empty()) {
    return Again{};
  }
  leave(stream, deliver);
  return deliver;
}

/// The same for an end that the server has brought about.
StreamStep ServerHost::step_after(Stream& stream, const FaultDecision& decision, End end) {
  if (std::optional<End> other = ending_by(decision, end.left)) {
    return *std::move(other);
  }
  if (std::holds_alternative<Lose>(decision.verdict)) {
    ++exchange(stream.exchange).lost;
    stream.silent = true;
    return Again{};
  }
  if (const auto* delay = std::get_if<Delay>(&decision.verdict)) {
    end.left += delay->by;
  } else if (const auto* distort = std::get_if<Distort>(&decision.verdict)) {
    end.distort = distort->how;
    end.cause = decision.fault;
  }
  return end;
}

void ServerHost::leave(const Stream& stream, Deliver& deliver) {
  for (const watch::Event& event : deliver.events) {
    const std::string what = messages_.enabled() ? event_text(event) : std::string();
    deliver.messages.push_back(
        messages_.send({server_name(stream.server), stream.request.client, what}));
  }
}

void ServerHost::lose(const Stream& stream, const watch::Event& event) {
  ++exchange(stream.exchange).lost;
  if (messages_.enabled()) {
    const std::string what = event_text(event);
    const MessageNotes::Way way{server_name(stream.server), stream.request.client, what};
    messages_.lost(messages_.send(way), way);
  }
}

void ServerHost::arrived(Stream& stream, const Deliver& delivered) {
  Lock lock(mutex_);
  stream.busy = true;
  for (std::size_t i = 0; i < delivered.events.size(); ++i) {
    Exchange& made = exchange(stream.exchange);
    ++stream.frames_sent;
    if (made.ended) {
      // Bytes that were torn behind an event bring it to the client when the server is through.
      made.events = stream.frames_sent;
    }
    if (observer_) {
      observer_->arrived(made, delivered.events[i]);
    }
    // What comes of bytes that were changed on their way belongs to no message.
    if (messages_.enabled() && delivered.messages[i] != 0) {
      const std::string what = event_text(delivered.events[i]);
      messages_.receive(delivered.messages[i],
                        {server_name(stream.server), stream.request.client, what});
    }
  }
}

void ServerHost::end_stream(Stream& stream, std::string_view end, std::string_view cause) {
  Lock lock(mutex_);
  servers_.server(stream.server).close(stream.watch);
  streams_.erase(stream.watch);
  Exchange& made = exchange(stream.exchange);
  made.end = value_of<StreamEnd>(end);
  made.end_cause = cause;
  made.ended = runtime_.now();
  made.events = stream.frames_sent;
  note("stream", stream.request.client, std::string(end));
  changed(made);
}

}  // namespace watchlab::sim
