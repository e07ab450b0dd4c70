// What a session does while a watch is open on its connection.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/http/http_session.hpp"
#include "sim/http/kind_protobuf.hpp"
#include "sim/network/wire_messages.hpp"

namespace watchlab::sim {

using runtime::TimePoint;

namespace {

/// Of events; with more a stream waits for its next turn.
constexpr std::size_t kTurnBytes = std::size_t{64} << 10;

/// Makes protobuf of the JSON of an event. What is none, because a fault has made it so, stays.
void pack_event(WireMessage& message) {
  if (std::optional<std::string> packed = protobuf_event_from_json(message.payload)) {
    message.payload = *std::move(packed);
    message.framing = fmt::format("{:x}\r\n", message.payload.size());
  }
}

}  // namespace

/// Asks what the stream does next, and does it or comes back when it is time.
void HttpSession::pump() {
  if (held_until_ && now() >= *held_until_) {
    held_until_.reset();
    transmit({.framing = std::exchange(held_, {})});
  }
  StreamStep step = host().next_step(*stream_);
  if (auto* end = std::get_if<stream_step::End>(&step)) {
    end_ = std::move(*end);
    then(end_.left, &HttpSession::end_watch);
  } else if (auto* events = std::get_if<stream_step::Deliver>(&step)) {
    events_ = std::move(*events);
    then(events_.left, &HttpSession::deliver);
  } else if (const auto* wait = std::get_if<stream_step::Wait>(&step)) {
    const TimePoint wake_at = wait->wake_at.value_or(TimePoint::max());
    rest_until(std::min(wake_at, held_until_.value_or(TimePoint::max())), &HttpSession::pump);
  } else {
    then(now(), &HttpSession::pump);
  }
}

void HttpSession::deliver() {
  const stream_step::Deliver step = std::exchange(events_, {});
  const std::optional<StreamEnding> ending = send_events(step);
  has_turn_ = has_turn_ && outbox_bytes_ < kTurnBytes;
  host().arrived(*stream_, step);
  if (!ending) {
    then(now(), &HttpSession::pump);
    return;
  }
  end_stream(*ending);
  if (outbox_.empty() || outbox_.back().after == WireMessage::After::Open) {
    then(now(), &HttpSession::next_request);
  }
}

/// How the stream ended, if one of the events or its bytes have ended it.
std::optional<StreamEnding> HttpSession::send_events(const stream_step::Deliver& step) {
  for (std::size_t i = 0; i < step.events.size(); ++i) {
    const watch::Event& event = step.events[i];
    const bool replaced = i == 0 && !step.text.empty();
    const std::string text =
        replaced ? step.text : shown_event(event, view_, now(), std::exchange(first_event_, false));
    WireMessage message = message_of(event, text);
    if (view_.protobuf) {
      pack_event(message);
    }
    if (step.distort) {
      step.distort(message);
    }
    const WireMessage::After after = message.after;
    send_in_stream(std::move(message));
    if (after != WireMessage::After::Open) {
      return StreamEnding{end_for(after), step.fault};
    }
    if (event.type == watch::EventType::Error && !replaced) {
      WireMessage end = end_message();
      end.after = keeps_alive_ ? WireMessage::After::Open : end.after;
      send_in_stream(std::move(end));
      return ending_after(event);
    }
  }
  return std::nullopt;
}

void HttpSession::end_watch() {
  const stream_step::End step = std::exchange(end_, {});
  const bool clean = step.ending.end == StreamEnd::Closed;
  if (step.torn) {
    send_in_stream(torn_message(*step.torn, clean));
  }
  WireMessage message = clean ? end_message() : WireMessage{.after = WireMessage::After::Cut};
  if (step.distort) {
    step.distort(message);
  } else if (clean && keeps_alive_) {
    message.after = WireMessage::After::Open;
  }
  const WireMessage::After after = message.after;
  send_in_stream(std::move(message));
  end_stream(step.ending);
  if (after == WireMessage::After::Open) {
    then(now(), &HttpSession::next_request);
  }
}

/// Sends a message of the stream, together with what was held back for it.
void HttpSession::send_in_stream(WireMessage message) {
  message.framing.insert(0, std::exchange(held_, {}));
  if (message.grace_period > runtime::Duration::zero() &&
      message.after == WireMessage::After::Open) {
    held_ = message.bytes();
    held_until_ = held_until_.value_or(now() + message.grace_period);
    return;
  }
  held_until_.reset();
  transmit(message);
}

void HttpSession::end_stream(const StreamEnding& ending) {
  if (stream_ == nullptr) {
    return;
  }
  const std::shared_ptr<Stream> stream = std::exchange(stream_, nullptr);
  host().end_stream(*stream, ending);
  held_.clear();
  held_until_.reset();
}

}  // namespace watchlab::sim
