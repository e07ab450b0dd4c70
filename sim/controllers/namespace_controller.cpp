#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <set>
#include <vector>

#include "sim/controllers/controller_catalogue.hpp"
#include "sim/controllers/keyed_controller.hpp"

namespace watchlab::sim {

namespace {

const api::GroupVersionResource kNamespaces{"", "v1", "namespaces"};
const api::GroupVersionResource kEmptiedPods{"", "v1", "pods"};

/// Clients that take the finalizer away themselves, after a DELETE, are not overtaken.
constexpr runtime::Duration kPause = std::chrono::milliseconds(100);

/// Empties a namespace that is being deleted, and lets it go then. Mirrors kubernetes
/// pkg/controller/namespace/deletion, namespacedResourcesDeleter.
class NamespaceController final : public ClusterController {
 public:
  bool wrote(const Change& change) override {
    const api::ObjectMeta& metadata = change.object->metadata;
    const bool is_gone = change.type == watch::EventType::Deleted;
    if (*change.resource == kNamespaces) {
      if (is_gone) {
        ending_.erase(metadata.name);
      } else if (!metadata.deletion_timestamp.empty()) {
        ending_.insert(metadata.name);
        return due_.emplace(metadata.name, change.at + kPause).second;
      }
      return false;
    }
    // What finalizers have held goes later.
    return is_gone && ending_.contains(metadata.namespace_) &&
           due_.emplace(metadata.namespace_, change.at + kPause).second;
  }

  std::optional<runtime::TimePoint> act(ServerHost::Transaction& host) override {
    std::vector<std::string> now_due;
    for (const auto& [name, at] : due_) {
      if (at <= host.now()) {
        now_due.push_back(name);
      }
    }
    for (const std::string& name : now_due) {
      due_.erase(name);
      const api::ObjectPtr space = object_at(host, {kNamespaces, name});
      if (space == nullptr || space->metadata.deletion_timestamp.empty()) {
        continue;
      }
      if (empty(host, name)) {
        report(host, *space);
      } else {
        let_go(host, *space);
      }
    }
    std::optional<runtime::TimePoint> next;
    for (const auto& [name, at] : due_) {
      next = std::min(next.value_or(at), at);
    }
    return next;
  }

 private:
  /// Deletes all contents, the pods first and the rest once they are gone. Returns whether
  /// anything is left, held by finalizers or a grace period.
  static bool empty(ServerHost::Transaction& host, const std::string& name) {
    if (is_left_of(host, kEmptiedPods, name)) {
      return true;
    }
    bool is_left = false;
    for (const api::GroupVersionResource& resource : host.servers().store().resources()) {
      const ResourceType* const type = host.servers().types().find(resource);
      if (type != nullptr && type->namespaced) {
        is_left = is_left_of(host, resource, name) || is_left;
      }
    }
    return is_left;
  }

  static bool is_left_of(ServerHost::Transaction& host, const api::GroupVersionResource& resource,
                         const std::string& name) {
    bool is_left = false;
    for (const api::ObjectPtr& object : objects_in(host, resource, name)) {
      if (object->metadata.deletion_timestamp.empty()) {
        delete_object(host, resource, object->metadata, "Background");
      }
      is_left = is_left || object_at(host, {resource, api::key_of(object->metadata)}) != nullptr;
    }
    return is_left;
  }

  /// Sets the conditions that say why the namespace is still there.
  static void report(ServerHost::Transaction& host, const api::Object& space) {
    const boost::json::object body = members_of(space);
    const boost::json::value* const before = value_below(body, "/status");
    boost::json::object status =
        before != nullptr && before->is_object() ? before->get_object() : boost::json::object();
    if (status.contains("conditions")) {
      return;
    }
    const std::string now = timestamp(host.now());
    boost::json::object failure =
        condition_of("NamespaceDeletionContentFailure", "ContentDeleted", now);
    failure["status"] = "False";
    failure["message"] = "All content successfully deleted, may be waiting on finalization";
    boost::json::object remaining =
        condition_of("NamespaceContentRemaining", "SomeResourcesRemain", now);
    remaining["message"] = "Some resources are remaining";
    status["conditions"] = boost::json::array{std::move(failure), std::move(remaining)};
    write_status(host, kNamespaces, space, std::move(status));
  }

  static void let_go(ServerHost::Transaction& host, const api::Object& space) {
    api::Object next = space;
    boost::json::object body = members_of(space);
    if (boost::json::object* const spec =
            body.contains("spec") ? body["spec"].if_object() : nullptr) {
      spec->erase("finalizers");
    }
    next.body = boost::json::serialize(body);
    write_object(host, kNamespaces, std::move(next));
  }

  std::set<std::string> ending_;
  std::map<std::string, runtime::TimePoint> due_;
};

}  // namespace

std::unique_ptr<ClusterController> make_namespace_controller(const ControllerSettings&) {
  return std::make_unique<NamespaceController>();
}

}  // namespace watchlab::sim
