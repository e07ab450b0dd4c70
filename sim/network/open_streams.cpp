#include "sim/network/open_streams.hpp"

#include <algorithm>
#include <utility>

#include "sim/apiserver/read_rules.hpp"

namespace watchlab::sim {

using stream_step::Deliver;
using stream_step::End;
using stream_step::Retry;
using stream_step::Wait;

namespace {

/// How long after timeoutSeconds a client gives up a stream that its server should have ended.
constexpr runtime::Duration kClientGrace = std::chrono::seconds(1);

std::optional<runtime::TimePoint> client_gives_up(const Stream& stream) {
  const std::optional<runtime::Duration> asked = asked_timeout(stream.request.options);
  return asked ? std::optional(stream.opened + *asked + kClientGrace) : std::nullopt;
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
  return End{.left = left, .ending = {clean ? StreamEnd::Closed : StreamEnd::Cut, decision.fault}};
}

}  // namespace

std::shared_ptr<Stream> OpenStreams::open(const Exchange& exchange, const Request& request,
                                          WatchId watch) {
  auto stream = std::make_shared<Stream>(runtime_, request, watch);
  stream->exchange = exchange.number;
  stream->server = exchange.server;
  stream->opened = runtime_.now();
  streams_.emplace(watch, stream);
  return stream;
}

MessageContext OpenStreams::context_of(const Stream& stream, Stage stage) const {
  return {.stage = stage,
          .request = stream.request,
          .exchange = stream.exchange,
          .now = runtime_.now(),
          .opened = stream.opened,
          .frames_sent = stream.frames_sent};
}

FaultDecision OpenStreams::evaluate(const Stream& stream, Stage stage, runtime::TimePoint left,
                                    const watch::Event* event) {
  if (faults_.empty()) {
    return {};
  }
  MessageContext context = context_of(stream, stage);
  context.event = event;
  context.left = left;
  return faults_.evaluate(context);
}

StreamStep OpenStreams::next_step(Stream& stream) {
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
    return End{.left = now, .ending = {StreamEnd::Closed, "client timeout"}};
  }
  if (poll.ended != WatchEnd::Open && !stream.silent) {
    End end{.left = now, .ending = {StreamEnd::Closed, std::string(to_string(poll.ended))}};
    return step_after(stream, evaluate(stream, Stage::End, now, nullptr), std::move(end));
  }
  Wait wait{earlier(poll.wake_at, timeout)};
  if (!faults_.empty()) {
    wait.wake_at = earlier(wait.wake_at, faults_.next_wake(context_of(stream, Stage::Stream)));
  }
  return wait;
}

StreamStep OpenStreams::step_with(Stream& stream, Frame&& frame) {
  if (stream.silent) {
    lose(stream, frame.event);
    return Retry{};
  }
  Deliver deliver{.left = frame.at};
  deliver.events.push_back(std::move(frame.event));
  if (faults_.empty()) {
    return leave(stream, std::move(deliver));
  }
  const FaultDecision decision =
      evaluate(stream, Stage::Frame, deliver.left, &deliver.events.front());
  return step_after(stream, decision, std::move(deliver));
}

/// What becomes of events on which the faults have decided. There are none when it was not events
/// that the faults were asked about, but the open stream.
StreamStep OpenStreams::step_after(Stream& stream, const FaultDecision& decision,
                                   Deliver&& deliver) {
  const Verdict& verdict = decision.verdict;
  if (std::optional<End> end = ending_by(decision, deliver.left)) {
    const auto* in_order = std::get_if<EndStream>(&verdict);
    if (in_order != nullptr && in_order->torn && !deliver.events.empty()) {
      end->torn = std::move(deliver.events.front());
    }
    return *std::move(end);
  }
  if (const auto* loss = std::get_if<Drop>(&verdict)) {
    for (const watch::Event& event : deliver.events) {
      lose(stream, event);
    }
    stream.silent = stream.silent || loss->and_what_follows;
    return Retry{};
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
  return deliver.events.empty() ? Retry{} : leave(stream, std::move(deliver));
}

/// The same for an end that the server has brought about.
StreamStep OpenStreams::step_after(Stream& stream, const FaultDecision& decision, End end) {
  if (std::optional<End> other = ending_by(decision, end.left)) {
    return *std::move(other);
  }
  if (std::holds_alternative<Drop>(decision.verdict)) {
    ++log_.at(stream.exchange).lost;
    stream.silent = true;
    return Retry{};
  }
  if (const auto* delay = std::get_if<Delay>(&decision.verdict)) {
    end.left += delay->by;
    const std::optional<runtime::TimePoint> timeout = client_gives_up(stream);
    if (timeout && end.left > *timeout) {
      return End{.left = *timeout, .ending = {StreamEnd::Closed, "client timeout"}};
    }
  } else if (const auto* distort = std::get_if<Distort>(&decision.verdict)) {
    end.distort = distort->how;
    end.ending.cause = decision.fault;
  }
  return end;
}

StreamStep OpenStreams::leave(const Stream& stream, Deliver&& deliver) {
  for (const watch::Event& event : deliver.events) {
    deliver.messages.push_back(log_.send(log_.at(stream.exchange), event));
  }
  return std::move(deliver);
}

void OpenStreams::lose(const Stream& stream, const watch::Event& event) {
  log_.lose(log_.at(stream.exchange), event);
}

void OpenStreams::arrived(Stream& stream, const Deliver& delivered) {
  stream.busy = true;
  Exchange& made = log_.at(stream.exchange);
  for (std::size_t i = 0; i < delivered.events.size(); ++i) {
    ++stream.frames_sent;
    if (made.ended) {
      // Bytes that were torn behind an event bring it to the client when the server is through.
      made.events = stream.frames_sent;
    }
    log_.arrived(made, delivered.events[i], delivered.messages[i]);
  }
}

void OpenStreams::end(Stream& stream, const StreamEnding& ending) {
  servers_.server(stream.server).close(stream.watch);
  streams_.erase(stream.watch);
  Exchange& made = log_.at(stream.exchange);
  made.events = stream.frames_sent;
  log_.end_stream(made, ending);
}

void OpenStreams::wake_concerned() {
  woken_.clear();
  servers_.take_woken(woken_);
  for (const WatchId watch : woken_) {
    const auto stream = streams_.find(watch);
    if (stream != streams_.end()) {
      stream->second->wake_up.ring();
    }
  }
}

void OpenStreams::wake_after_write() {
  wake_concerned();
  for (auto& [watch, stream] : streams_) {
    if (servers_.server(stream->server).next_catch_up()) {
      stream->wake_up.ring();
    }
  }
}

void OpenStreams::wake_all() {
  woken_.clear();
  servers_.take_woken(woken_);  // all of them are woken, and many others
  for (auto& [watch, stream] : streams_) {
    stream->wake_up.ring();
  }
}

bool OpenStreams::idle() const {
  return std::all_of(streams_.begin(), streams_.end(), [&](const auto& each) {
    const Stream& stream = *each.second;
    return !stream.busy && servers_.server(stream.server).waiting(stream.watch) == 0;
  });
}

}  // namespace watchlab::sim
