#include "core/watch/event_json.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "core/api/json.hpp"
#include "core/api/json_cutter.hpp"
#include "core/api/json_string.hpp"

namespace watchlab::watch {
namespace {

constexpr std::array kTypes{EventType::Added, EventType::Modified, EventType::Deleted,
                            EventType::Bookmark, EventType::Error};

api::Error undecodable(std::string message) {
  return {.kind = api::ErrorKind::Decode, .message = std::move(message), .status = {}};
}

api::Result<EventType> type_named(std::string_view name) {
  for (const EventType type : kTypes) {
    if (name_of(type) == name) {
      return type;
    }
  }
  return undecodable(fmt::format("got invalid watch event type: {}", name));
}

/// The two members of the envelope, as text.
struct Envelope {
  std::string type;
  std::string_view object;
};

api::Result<Envelope> open(std::string_view text) {
  api::Result<std::vector<api::JsonMember>> members = api::JsonCutter(text).members();
  if (!members.ok()) {
    return members.error();
  }
  Envelope envelope;
  for (const api::JsonMember& member : *members) {
    if (member.key == "type") {
      api::Result<std::string> type = api::json_string_value(member.value, "type");
      if (!type.ok()) {
        return type.error();
      }
      envelope.type = *std::move(type);
    } else if (member.key == "object") {
      envelope.object = member.value;
    }
  }
  return envelope;
}

/// The content of an ERROR event: a Status, or nothing when the object is something else.
api::Result<Event> error_from(std::string_view object) {
  Event event{.type = EventType::Error, .object = nullptr, .status = nullptr};
  const api::Result<std::string> kind = api::kind_in_json(object);
  if (!kind.ok()) {
    return kind.error();
  }
  if (kind->empty() && object.starts_with('{')) {
    return undecodable(
        "Object 'Kind' is missing");  // what it says is not looked at, not even a 410
  }
  if (*kind == "Status") {
    api::Result<api::Status> status = api::status_from_json(object);
    if (!status.ok()) {
      return status.error();
    }
    event.status = std::make_shared<const api::Status>(*std::move(status));
  }
  return event;
}

api::Result<Event> change_from(EventType type, std::string_view object) {
  api::Result<api::Object> read = api::object_from_json(object);
  if (!read.ok()) {
    return read.error();
  }
  return Event{.type = type,
               .object = std::make_shared<const api::Object>(*std::move(read)),
               .status = nullptr};
}

}  // namespace

std::string to_json(const Event& event) {
  std::string object = "null";
  if (event.status != nullptr) {
    object = api::to_json(*event.status);
  } else if (event.object != nullptr) {
    object = api::to_json(*event.object);
  }
  return fmt::format(R"({{"type":"{}","object":{}}})", name_of(event.type), object);
}

api::Result<Event> event_from_json(std::string_view text) {
  const api::Result<Envelope> envelope = open(text);
  if (!envelope.ok()) {
    return undecodable(fmt::format("unable to decode watch event: {}", envelope.error().message));
  }
  const api::Result<EventType> type = type_named(envelope->type);
  if (!type.ok()) {
    return type.error();
  }
  api::Result<Event> event = *type == EventType::Error ? error_from(envelope->object)
                                                       : change_from(*type, envelope->object);
  if (!event.ok()) {
    return undecodable(fmt::format("unable to decode watch event: {}", event.error().message));
  }
  return event;
}

}  // namespace watchlab::watch
