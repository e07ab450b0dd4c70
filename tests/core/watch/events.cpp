#include "tests/core/watch/events.hpp"

#include <fmt/format.h>

#include <utility>

#include "tests/support/campaign.hpp"

namespace watchlab::tests {

using watch::Event;
using watch::EventType;

api::ObjectPtr object(std::string_view name, std::string_view resource_version) {
  api::Object object;
  object.metadata.name = name;
  object.metadata.resource_version = resource_version;
  return std::make_shared<const api::Object>(std::move(object));
}

api::ObjectList list_of(std::string_view resource_version, std::vector<api::ObjectPtr> items) {
  api::ObjectList list;
  list.resource_version = resource_version;
  list.items = std::move(items);
  return list;
}

Event event(EventType type, std::string_view name, std::string_view resource_version) {
  return {.type = type, .object = object(name, resource_version), .status = nullptr};
}

Event added(std::string_view name, std::string_view resource_version) {
  return event(EventType::Added, name, resource_version);
}

Event modified(std::string_view name, std::string_view resource_version) {
  return event(EventType::Modified, name, resource_version);
}

Event deleted(std::string_view name, std::string_view resource_version) {
  return event(EventType::Deleted, name, resource_version);
}

Event failed(api::Status status) {
  return {.type = EventType::Error,
          .object = nullptr,
          .status = std::make_shared<const api::Status>(std::move(status))};
}

std::string text_of(const Event& event) {
  std::string text(watch::to_string(event.type));
  if (event.object != nullptr) {
    const api::ObjectMeta& metadata = event.object->metadata;
    text += fmt::format(" {}@{}", metadata.name, metadata.resource_version);
  }
  if (event.status != nullptr) {
    text += fmt::format(" {}", event.status->code);
  }
  return text;
}

std::string next(const watch::Watcher& watcher) {
  runtime::Channel<Event> events = watcher.result_channel();
  const std::optional<Event> event = events.receive();
  return event ? text_of(*event) : "closed";
}

void expect_error(const watch::Watcher& watcher, const api::Status& status,
                  runtime::Location here) {
  runtime::Channel<Event> events = watcher.result_channel();
  const std::optional<Event> event = events.receive();
  expect(event && event->type == EventType::Error && event->object == nullptr, "an error", here);
  expect(event->status && *event->status == status, "the whole status", here);
}

std::string read_all(runtime::Channel<Event> events) {
  std::string text;
  while (const std::optional<Event> event = events.receive()) {
    text += text.empty() ? "" : ",";
    text += text_of(*event);
  }
  return text;
}

}  // namespace watchlab::tests
