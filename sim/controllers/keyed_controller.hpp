#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "sim/controllers/cluster_controller.hpp"
#include "sim/controllers/controller_writes.hpp"

namespace watchlab::sim {

/// A controller that looks at one object at a time, a while after a write that may concern it.
class KeyedController : public ClusterController {
 public:
  /// Writes nothing earlier than `after` a write, and settles `at_once` objects in one go.
  explicit KeyedController(runtime::Duration after = {}, std::size_t at_once = kAtOnceMax)
      : after_(after), at_once_(at_once) {}

  bool wrote(const Change& change) final {
    std::set<ObjectPlace> concerned;
    concerns(change, concerned);
    bool has_more = false;
    for (const ObjectPlace& place : concerned) {
      has_more = due_.emplace(place, change.at + after_).second || has_more;
    }
    return has_more;
  }
  std::optional<runtime::TimePoint> act(ServerHost::Transaction& host) final {
    std::set<ObjectPlace> now_due;
    for (const auto& [place, at] : due_) {
      if (at <= host.now() && now_due.size() < at_once_) {
        now_due.insert(place);
      }
    }
    for (const ObjectPlace& place : now_due) {
      due_.erase(place);  // what is written now may put it there again
      if (const api::ObjectPtr object = object_at(host, place);
          object != nullptr && object->metadata.deletion_timestamp.empty()) {
        settle(host, place.first, *object);
      }
    }
    std::optional<runtime::TimePoint> next;
    for (const auto& [place, at] : due_) {
      next = std::min(next.value_or(at), at);
    }
    return next;
  }

 protected:
  /// Adds the objects that must be looked at after a write.
  virtual void concerns(const Change& change, std::set<ObjectPlace>& concerned) = 0;
  /// Brings one object to where it should be. Writes nothing when it is there.
  virtual void settle(ServerHost::Transaction& host, const api::GroupVersionResource& resource,
                      const api::Object& object) = 0;

 private:
  runtime::Duration after_;
  std::size_t at_once_;
  std::map<ObjectPlace, runtime::TimePoint> due_;
};

/// One of the conditions in an object's status.
[[nodiscard]] boost::json::object condition_of(std::string_view type, std::string_view reason,
                                               const std::string& now);

}  // namespace watchlab::sim
