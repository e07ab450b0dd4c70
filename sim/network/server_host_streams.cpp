// The part of the host that carries events: what an open stream does next, and how it ends.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/apiserver/read_rules.hpp"
#include "sim/network/server_host.hpp"

namespace watchlab::sim {

using runtime::Lock;

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
  StreamStep step{.left = now};
  if (!faults_.empty()) {
    const FaultDecision decision = evaluate(stream, Stage::Stream, now, nullptr);
    if (!passes(decision.verdict)) {
      decide_step(stream, decision, step);
      return step;
    }
  }
  WatchPoll poll = servers_.server(stream.server).poll(stream.watch, now);
  wake_concerned();
  if (poll.frame && stream.silent) {
    lose(stream, poll.frame->event);
    return step;
  }
  if (poll.frame) {
    step.left = poll.frame->at;
    step.events.push_back(std::move(poll.frame->event));
    if (faults_.empty()) {
      leave(stream, step);
    } else {
      decide_step(stream, evaluate(stream, Stage::Frame, step.left, &step.events.front()), step);
    }
    return step;
  }
  const std::optional<runtime::TimePoint> timeout = client_gives_up(stream);
  if (timeout && now >= *timeout) {
    step.end = "closed";
    step.cause = "client timeout";
  } else if (poll.ended != WatchEnd::Open && !stream.silent) {
    step.end = "closed";
    step.cause = name_of(poll.ended);
    decide_step(stream, evaluate(stream, Stage::End, now, nullptr), step);
    return step;
  }
  step.waits = true;
  step.wake_at = earlier(poll.wake_at, timeout);
  if (!faults_.empty()) {
    step.wake_at = earlier(step.wake_at, faults_.next_wake(context_of(stream, Stage::Stream)));
  }
  return step;
}

void ServerHost::decide_step(Stream& stream, const FaultDecision& decision, StreamStep& step) {
  const Verdict& verdict = decision.verdict;
  if (const auto* end = std::get_if<EndStream>(&verdict)) {
    if (end->torn && !step.events.empty()) {
      step.torn = std::move(step.events.front());
    }
    step.events.clear();
    step.end = end->clean ? "closed" : "cut";
    step.cause = decision.fault;
  } else if (std::holds_alternative<Fail>(verdict)) {
    step.events.clear();
    step.end = "cut";
    step.cause = decision.fault;
  } else if (const auto* delay = std::get_if<Delay>(&verdict)) {
    step.left += delay->by;
  } else if (const auto* loss = std::get_if<Lose>(&verdict)) {
    for (const watch::Event& event : step.events) {
      lose(stream, event);
    }
    if (!step.end.empty()) {
      ++exchange(stream.exchange).lost;
    }
    stream.silent = stream.silent || loss->and_what_follows || !step.end.empty();
    step.events.clear();
    step.end.clear();
  } else if (const auto* rewrite = std::get_if<Rewrite>(&verdict)) {
    step.events.assign(rewrite->events.begin(), rewrite->events.end());
    step.text = rewrite->text;
  } else if (const auto* distort = std::get_if<Distort>(&verdict)) {
    step.distort = distort->how;
    step.cause = decision.fault;
  }
  leave(stream, step);
}

void ServerHost::leave(const Stream& stream, StreamStep& step) {
  for (const watch::Event& event : step.events) {
    const std::string what = messages_.enabled() ? event_text(event) : std::string();
    step.messages.push_back(
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

void ServerHost::arrived(Stream& stream, const StreamStep& step) {
  Lock lock(mutex_);
  stream.busy = true;
  for (std::size_t i = 0; i < step.events.size(); ++i) {
    Exchange& made = exchange(stream.exchange);
    ++stream.frames_sent;
    if (made.ended) {
      // Bytes that were torn behind an event bring it to the client when the server is through.
      made.events = stream.frames_sent;
    }
    if (observer_) {
      observer_->arrived(made, step.events[i]);
    }
    // What comes of bytes that were changed on their way belongs to no message.
    if (messages_.enabled() && step.messages[i] != 0) {
      const std::string what = event_text(step.events[i]);
      messages_.receive(step.messages[i],
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
