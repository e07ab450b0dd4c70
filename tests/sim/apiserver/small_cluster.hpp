#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/apiserver/control_plane.hpp"

namespace watchlab::sim {

inline const api::GroupVersionResource kConfigMaps{"", "v1", "configmaps"};
inline const api::GroupVersionResource kPods{"", "v1", "pods"};

// Short names for the tables: what `resourceVersionMatch` says.
inline constexpr auto kUnset = api::ResourceVersionMatch::Unset;
inline constexpr auto kExact = api::ResourceVersionMatch::Exact;
inline constexpr auto kNotOlderThan = api::ResourceVersionMatch::NotOlderThan;

/// A control plane to talk to in short words; the clock stands still until `now` is moved. The
/// first object that is written has revision 3.
struct SmallCluster {
  explicit SmallCluster(ControlPlaneOptions options = {}) : plane(std::move(options), now) {}

  static api::ObjectPtr object(const std::string& name, const std::string& body = "",
                               const api::Labels& labels = {}) {
    api::Object object{.metadata = {.name = name}, .body = body};
    object.metadata.labels = labels;
    return std::make_shared<const api::Object>(std::move(object));
  }

  Response send(Request request, std::size_t server = 0) {
    request.arrived = now;
    return plane.handle(server, request, now);
  }
  Response create(const std::string& name, const std::string& body = "",
                  const api::Labels& labels = {}) {
    return send({.verb = Verb::Create,
                 .resource = kConfigMaps,
                 .namespace_ = "default",
                 .object = object(name, body, labels)});
  }
  Response update(const std::string& name, const std::string& body,
                  const api::Labels& labels = {}) {
    return send({.verb = Verb::Update,
                 .resource = kConfigMaps,
                 .namespace_ = "default",
                 .object = object(name, body, labels)});
  }
  Response update(api::Object object) {
    return send({.verb = Verb::Update,
                 .resource = kConfigMaps,
                 .namespace_ = "default",
                 .object = std::make_shared<const api::Object>(std::move(object))});
  }
  Response remove(const std::string& name, DeleteOptions options = {}) {
    return send({.verb = Verb::Delete,
                 .resource = kConfigMaps,
                 .namespace_ = "default",
                 .name = name,
                 .deletion = std::move(options)});
  }
  Response list(api::ListOptions options, std::size_t server = 0) {
    return send({.verb = Verb::List, .resource = kConfigMaps, .options = std::move(options)},
                server);
  }
  WatchId watch(api::ListOptions options, std::size_t server = 0) {
    const Response response =
        send({.verb = Verb::Watch, .resource = kConfigMaps, .options = std::move(options)}, server);
    return std::get<WatchOpened>(response.answer).watch;
  }
  /// What the watch sends now: "ADDED a rv=3", "BOOKMARK rv=7", "ERROR 410", and at the end
  /// "(timeout)" or another cause.
  std::vector<std::string> drain(WatchId watch) {
    std::vector<std::string> texts;
    while (true) {
      const WatchPoll poll = plane.poll(watch, now);
      if (!poll.frame) {
        if (poll.ended != WatchEnd::Open) {
          texts.push_back("(" + std::string(to_string(poll.ended)) + ")");
        }
        return texts;
      }
      texts.push_back(text_of(poll.frame->event));
    }
  }
  static std::string text_of(const watch::Event& event) {
    std::string text(watch::to_string(event.type));
    if (event.status) {
      return text + " " + std::to_string(event.status->code);
    }
    const api::ObjectMeta& metadata = event.object->metadata;
    text += metadata.name.empty() ? "" : " " + metadata.name;
    text += " rv=" + metadata.resource_version;
    return text +
           (metadata.annotations.contains(std::string(api::kInitialEventsEnd)) ? " end" : "");
  }
  [[nodiscard]] Revision revision() const { return plane.store().revision(); }

  runtime::TimePoint now{std::chrono::hours(24)};
  ControlPlane plane;
};

inline const api::Status& status_in(const Response& response) {
  return std::get<api::Status>(response.answer);
}
inline const api::ObjectList& list_in(const Response& response) {
  return std::get<api::ObjectList>(response.answer);
}
inline const api::Object& object_in(const Response& response) {
  return *std::get<api::ObjectPtr>(response.answer);
}
/// "a b c": the names of the items.
inline std::string names_in(const Response& response) {
  std::string names;
  for (const api::ObjectPtr& item : list_in(response).items) {
    names += (names.empty() ? "" : " ") + item->metadata.name;
  }
  return names;
}

}  // namespace watchlab::sim
