#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/api/json.hpp"
#include "core/watch/json_frame_decoder.hpp"
#include "sim/network/http_names.hpp"
#include "sim/network/wire_messages.hpp"

namespace watchlab::sim {

namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::int32_t kOk = 200;
constexpr std::int32_t kFirstFailure = 300;

HttpField content_type(std::string_view type) { return {"Content-Type", std::string(type)}; }

std::string body_of(const Response& response) {
  struct Texts {
    std::string operator()(const Pending&) const { return {}; }
    std::string operator()(const api::Status& status) const { return api::to_json(status); }
    std::string operator()(const api::ObjectPtr& object) const { return api::to_json(*object); }
    std::string operator()(const api::ObjectList& list) const { return api::to_json(list); }
    std::string operator()(const WatchOpened&) const { return {}; }
  };
  return std::visit(Texts{}, response.answer);
}

}  // namespace

WireMessage message_of(const HttpHead& head, std::string body) {
  return {.framing = to_string(head, body.size()),
          .payload = std::move(body),
          .after = WireMessage::After::Finished};
}

WireMessage message_of(const Response& response) {
  if (std::holds_alternative<WatchOpened>(response.answer)) {
    return {.framing = to_string(HttpHead{response.code, {content_type(kJson)}}, std::nullopt)};
  }
  HttpHead head{response.code, {content_type(kJson)}};
  const auto* status = std::get_if<api::Status>(&response.answer);
  if (status != nullptr && status->details.retry_after_seconds > 0) {
    head.fields.push_back({"Retry-After", std::to_string(status->details.retry_after_seconds)});
  }
  return message_of(head, body_of(response));
}

std::optional<WireMessage> message_of(const api::Error& failure) {
  switch (failure.kind) {
    case api::ErrorKind::Status:
      return message_of(response_of(failure.status));
    case api::ErrorKind::ConnectionReset:
      return WireMessage{.after = WireMessage::After::Cut};
    case api::ErrorKind::Eof:
      return WireMessage{.after = WireMessage::After::Finished};
    case api::ErrorKind::UnexpectedEof:
      return WireMessage{.framing = "HTTP/1.1 200 OK\r\nContent-",
                         .after = WireMessage::After::Finished};
    case api::ErrorKind::Decode: {
      return message_of(HttpHead{kOk, {content_type("text/html")}},
                        "<html><body>Please log in.</body></html>\n");
    }
    default:
      return std::nullopt;
  }
}

WireMessage message_of(const watch::Event& event, const std::string& text) {
  WireMessage message{.payload = (text.empty() ? watch::to_json(event) : text) + "\n",
                      .trailer = "\r\n"};
  message.framing = chunk_line(message.payload.size());
  return message;
}

WireMessage torn_message(const watch::Event& event, bool politely) {
  WireMessage whole = message_of(event);
  const std::size_t half = whole.payload.size() / 2;
  if (!politely) {
    whole.cut_to(whole.framing.size() + half);
    return whole;
  }
  whole.payload.resize(half);
  whole.framing = chunk_line(half);
  return whole;
}

WireMessage end_message() {
  return {.trailer = last_chunk(), .after = WireMessage::After::Finished};
}

StreamEnd end_for(WireMessage::After after) {
  return after == WireMessage::After::Cut ? StreamEnd::Cut : StreamEnd::Closed;
}

bool opens_watch(const HttpHead& head, Verb verb) {
  return verb == Verb::Watch && head.code == kOk && is_json(head);
}

api::Result<Response> response_from(const HttpHead& head, std::string_view body, Verb verb) {
  if (head.code < kOk || head.code >= kFirstFailure) {
    return client::failure_from(head, body);
  }
  if (!is_json(head)) {
    return not_json(head);
  }
  const api::Result<std::string> kind = api::kind_in_json(body);
  if (!kind) {
    return kind.error();
  }
  if (*kind == "Status") {
    api::Result<api::Status> status = api::status_from_json(body);
    if (!status || status->status == "Failure") {
      return status ? api::error_from(*std::move(status)) : status.error();
    }
    return Response{head.code, *std::move(status)};
  }
  if (verb == Verb::List || verb == Verb::DeleteCollection) {
    api::Result<api::ObjectList> list = api::list_from_json(body);
    return list ? api::Result(Response{head.code, *std::move(list)}) : list.error();
  }
  api::Result<api::Object> object = api::object_from_json(body);
  return object ? api::Result(
                      Response{head.code, std::make_shared<const api::Object>(*std::move(object))})
                : object.error();
}

}  // namespace watchlab::sim
