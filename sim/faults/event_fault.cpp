#include "sim/faults/event_fault.hpp"

#include <utility>

namespace watchlab::sim {

bool is_change(const watch::Event& event) {
  return event.object != nullptr && event.type != watch::EventType::Bookmark;
}

watch::Event with_revision(const watch::Event& event, const std::string& revision) {
  api::Object object = *event.object;
  object.metadata.resource_version = revision;
  return {event.type, std::make_shared<const api::Object>(std::move(object)), nullptr};
}

watch::Event error_event(api::Status status) {
  return {watch::EventType::Error, nullptr, std::make_shared<const api::Status>(std::move(status))};
}

watch::Event undecodable_event(const std::string& why) {
  const std::string message = "unable to decode an event from the watch stream: " + why;
  api::Status status = api::failure(api::StatusReason::InternalError,
                                    "an error on the server has prevented the request from "
                                    "succeeding: " +
                                        message);
  status.details.causes.push_back({"UnexpectedServerResponse", message, ""});
  status.details.causes.push_back({"ClientWatchDecoding", message, ""});
  return error_event(std::move(status));
}

}  // namespace watchlab::sim
