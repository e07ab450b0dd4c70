#include "sim/network/wire_server.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/network/connection.hpp"
#include "sim/network/http_names.hpp"
#include "sim/network/wire_messages.hpp"

namespace watchlab::sim {

namespace {

/// The longest body that a real server reads.
constexpr std::size_t kRequestBodyMax = std::size_t{3} << 20;
constexpr std::size_t kRequestChunkSize = std::size_t{4} << 10;

}  // namespace

void WireServer::run() {
  const api::Result<HttpRequest> http = read_request();
  if (const std::optional<api::Error> refusal = refusal_of(http)) {
    send_failure(*refusal, now());
    return;
  }
  if (!http) {
    link_->down()->finish(now());
    return;
  }
  if (const auto* fail = std::get_if<Fail>(&departure_.verdict)) {
    send_failure(fail->error, now() + fail->after);
    return;
  }
  if (const api::Result<Request> request = request_from(*http)) {
    serve(*request);
  } else {
    send_failure(request.error(), now());
  }
}

api::Result<HttpRequest> WireServer::read_request() {
  HttpRequestReader reader({.body_max = kRequestBodyMax});
  std::array<char, kRequestChunkSize> chunk{};
  bool invited = false;
  while (!reader.done()) {
    const api::Result<std::size_t> size = link_->up()->read(chunk);
    if (!size) {
      return size.error();
    }
    if (*size == 0) {
      return api::Error{api::ErrorKind::UnexpectedEof, "unexpected EOF", {}};
    }
    if (const api::Result<void> fed = reader.feed({chunk.data(), *size}); !fed) {
      return fed.error();
    }
    if (!invited && reader.expects_continue()) {
      invited = true;
      link_->down()->write("HTTP/1.1 100 Continue\r\n\r\n", now());
    }
  }
  return reader.take();
}

/// What a server answers to bytes that are no request; nothing when no client waits for an answer.
std::optional<api::Error> WireServer::refusal_of(const api::Result<HttpRequest>& http) const {
  if (http || (http.error().kind != api::ErrorKind::Decode &&
               http.error().kind != api::ErrorKind::Status)) {
    return std::nullopt;
  }
  if (http.error().kind == api::ErrorKind::Status) {
    return http.error();
  }
  return api::error_from(api::failure(api::StatusReason::BadRequest, http.error().message));
}

void WireServer::send_failure(const api::Error& error, runtime::TimePoint leave) {
  if (const std::optional<WireMessage> message = message_of(error)) {
    transmit(*link_->down(), *message, leave);
  } else {
    link_->fail(error);
    link_->down()->cut(leave);
  }
}

void WireServer::serve(const Request& request) {
  const std::optional<ServerHost::Reply> reply = host_->serve(departure_, request, link_->stop());
  if (!reply || std::holds_alternative<Drop>(reply->verdict)) {
    return;
  }
  link_->answered(reply->message, reply->stream);
  answer(*reply);
}

void WireServer::answer(const ServerHost::Reply& reply) {
  const runtime::TimePoint leave = now() + lateness(reply.verdict);
  if (const auto* fail = std::get_if<Fail>(&reply.verdict)) {
    send_failure(fail->error, leave);
    return;
  }
  WireMessage message = message_of(reply.response);
  if (const auto* distort = std::get_if<Distort>(&reply.verdict)) {
    distort->how(message);
  }
  if (!reply.stream) {
    transmit(*link_->down(), message, leave);
    return;
  }
  const WireMessage::After after = message.after;
  send_bytes(std::move(message), leave);
  const StreamEnding ending = after == WireMessage::After::Open
                                  ? carry_events(*reply.stream)
                                  : StreamEnding{end_for(after), reply.fault};
  reply.stream->wake_up.rest();
  host_->end_stream(*reply.stream, ending);
  if (last_bytes_) {
    transmit(*link_->down(), last_bytes_->message, last_bytes_->leave);
  }
}

StreamEnding WireServer::carry_events(Stream& stream) {
  while (link_->down()->drain()) {
    const StreamStep step = host_->next_step(stream);
    if (const auto* end = std::get_if<stream_step::End>(&step)) {
      if (!wait_to_end(stream, end->left)) {
        break;
      }
      send(*end);
      return end->ending;
    }
    if (const auto* events = std::get_if<stream_step::Deliver>(&step)) {
      if (std::optional<StreamEnding> ending = send(*events)) {
        return *std::move(ending);
      }
    }
    const auto* wait = std::get_if<stream_step::Wait>(&step);
    if (wait != nullptr && !rest(stream, wait->wake_at)) {
      break;
    }
  }
  return link_->ending_by_client().value_or(StreamEnding{StreamEnd::Stopped, ""});
}

/// Sleeps until there is something to do, and lets go of what was held back in time.
bool WireServer::rest(Stream& stream, std::optional<runtime::TimePoint> wake_at) {
  const bool sooner = held_until_ && (!wake_at || *held_until_ < *wake_at);
  if (!stream.wake_up.sleep(link_->stop(), sooner ? held_until_ : wake_at)) {
    return false;
  }
  if (held_until_ && now() >= *held_until_) {
    held_until_.reset();
    link_->down()->write(std::exchange(held_, {}), now());
  }
  return true;
}

bool WireServer::wait_to_end(Stream& stream, runtime::TimePoint leave) {
  while (now() < leave) {
    if (!rest(stream, leave) || !link_->down()->drain()) {
      return false;
    }
  }
  return true;
}

void WireServer::send_bytes(WireMessage message, runtime::TimePoint leave) {
  if (message.after != WireMessage::After::Open) {
    if (held_until_) {
      // What was held back still counts: the client has it before the stream is over.
      link_->down()->write(std::exchange(held_, {}), leave);
      (void)link_->down()->drain();
    }
    last_bytes_ = {std::move(message), leave};
    return;
  }
  message.framing.insert(0, std::exchange(held_, {}));
  if (message.grace_period > runtime::Duration::zero()) {
    held_ = message.bytes();
    held_until_ = held_until_.value_or(leave + message.grace_period);
    return;
  }
  held_until_.reset();
  transmit(*link_->down(), message, leave);
}

std::optional<StreamEnding> WireServer::send(const stream_step::Deliver& step) {
  for (std::size_t i = 0; i < step.events.size(); ++i) {
    const watch::Event& event = step.events[i];
    WireMessage message = message_of(event, i == 0 ? step.text : "");
    // All but the line feed: so much is enough to be understood.
    const std::size_t enough = message.framing.size() + message.payload.size() - 1;
    if (step.distort) {
      step.distort(message);
    }
    const WireMessage::After after = message.after;
    const bool ends = after != WireMessage::After::Open;
    const bool is_understood = ends && message.bytes().size() >= enough;
    link_->sent(step.messages[i]);
    send_bytes(std::move(message), ends ? to_arrive_at(step.left) : step.left);
    if (ends) {
      return is_understood && event.type == watch::EventType::Error
                 ? ending_after(event)
                 : StreamEnding{end_for(after), step.fault};
    }
    if (event.type == watch::EventType::Error && step.text.empty()) {
      // The client has the event before the stream counts as over, and may be gone by then.
      (void)link_->down()->drain();
      send_bytes(end_message(), to_arrive_at(now()));
      return link_->ending_by_client().value_or(ending_after(event));
    }
  }
  return std::nullopt;
}

void WireServer::send(const stream_step::End& step) {
  const bool clean = step.ending.end == StreamEnd::Closed;
  if (step.torn) {
    send_bytes(torn_message(*step.torn, clean), to_arrive_at(step.left));
  }
  WireMessage message = clean ? end_message() : WireMessage{.after = WireMessage::After::Cut};
  if (step.distort) {
    step.distort(message);
  }
  send_bytes(std::move(message), to_arrive_at(step.left));
}

}  // namespace watchlab::sim
