#pragma once

#include <boost/json.hpp>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/task.hpp"
#include "sim/controllers/cluster_controllers.hpp"
#include "sim/controllers/controller_writes.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::sim {

inline const api::GroupVersionResource kMaps{"", "v1", "configmaps"};
inline const api::GroupVersionResource kSpaces{"", "v1", "namespaces"};

/// A server with controllers, and no client.
class Cluster {
 public:
  Cluster(runtime::Runtime& runtime, std::vector<std::string> names,
          runtime::Duration pods_after = {})
      : runtime_(runtime),
        controllers_(ClusterControllers::make(
            runtime, {.names = std::move(names), .settings = {.pods_after = pods_after}})) {
    ServerHostOptions options;
    options.servers.writes.holds_namespaces = true;
    host_ = ServerHost::make(runtime, options, controllers_);
    host_->look([](ControlPlane& servers) {
      servers.types().define(
          {.resource = {"discovery.k8s.io", "v1", "endpointslices"}, .kind = "EndpointSlice"});
      ResourceType pods = *servers.types().find({"", "v1", "pods"});
      pods.stops_gracefully = true;
      servers.types().define(std::move(pods));
    });
    controllers_->start(host_);
  }
  /// What has failed ends with its world.
  ~Cluster() noexcept(false) {
    if (std::uncaught_exceptions() == 0) {
      controllers_->stop();
    }
  }
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  /// Creates an object; its namespace is default unless its metadata has another.
  std::string make(const api::GroupVersionResource& resource, api::ObjectMeta metadata,
                   const std::string& body = "") {
    const bool is_space = resource == kSpaces;
    if (!is_space && metadata.namespace_.empty()) {
      metadata.namespace_ = "default";
    }
    Request request{.verb = Verb::Create, .resource = resource, .namespace_ = metadata.namespace_};
    request.object =
        std::make_shared<const api::Object>(api::Object{.metadata = metadata, .body = body});
    const Response made = host_->write(std::move(request));
    const auto* const object = std::get_if<api::ObjectPtr>(&made.answer);
    tests::expect(object != nullptr, "the object is created");
    return (*object)->metadata.uid;
  }
  /// A ConfigMap that those own, of which each is the name and uid of a ConfigMap.
  std::string make_owned(const std::string& name,
                         const std::vector<std::pair<std::string, std::string>>& owners,
                         bool blocks = false, std::vector<std::string> finalizers = {}) {
    boost::json::array references;
    for (const auto& [owner, uid] : owners) {
      references.push_back({{"apiVersion", "v1"},
                            {"kind", "ConfigMap"},
                            {"name", owner},
                            {"uid", uid},
                            {"blockOwnerDeletion", blocks}});
    }
    return make(kMaps, {.name = name,
                        .finalizers = std::move(finalizers),
                        .other_members = boost::json::serialize(
                            boost::json::object{{"ownerReferences", std::move(references)}})});
  }
  void remove(const api::GroupVersionResource& resource, const std::string& space,
              const std::string& name, const std::string& policy = "") {
    (void)host_->write({.verb = Verb::Delete,
                        .resource = resource,
                        .namespace_ = space,
                        .name = name,
                        .deletion = {.propagation_policy = policy}});
  }
  void remove_map(const std::string& name, const std::string& policy = "") {
    remove(kMaps, "default", name, policy);
  }
  /// Takes all finalizers away.
  void free(const api::GroupVersionResource& resource, const std::string& key) {
    api::Object next = *get(resource, key);
    next.metadata.finalizers.clear();
    put(resource, next);
  }
  /// Writes the next state of an object.
  void put(const api::GroupVersionResource& resource, const api::Object& next) {
    host_->transact([&](ServerHost::Transaction& host) { write_object(host, resource, next); });
  }
  /// The same for its body alone.
  void change(const api::GroupVersionResource& resource, const std::string& key,
              const std::string& body) {
    api::Object next = *get(resource, key);
    next.body = body;
    put(resource, next);
  }
  /// Refuses new pods for that reason, until it is "".
  void refuse_pods(const std::string& why) {
    host_->look([&](ControlPlane& servers) {
      servers.check_by([why](const ResourceType& type, const api::Object* before,
                             const api::Object&) -> std::optional<api::Status> {
        const bool refuses = !why.empty() && before == nullptr && type.kind == "Pod";
        return refuses ? std::optional(api::failure(api::StatusReason::Forbidden, why))
                       : std::nullopt;
      });
    });
  }
  void settle(runtime::Duration time = std::chrono::seconds(1)) {
    runtime::sleep_for(runtime_, time);
  }
  /// Null when it is gone.
  [[nodiscard]] api::ObjectPtr get(const api::GroupVersionResource& resource,
                                   const std::string& key) {
    api::ObjectPtr found;
    host_->look([&](ControlPlane& servers) { found = servers.store().get(resource, key); });
    return found;
  }
  [[nodiscard]] bool has_map(const std::string& name) {
    return get(kMaps, "default/" + name) != nullptr;
  }
  /// A text in the body of an object that is there.
  [[nodiscard]] std::string text(const api::GroupVersionResource& resource, const std::string& key,
                                 std::string_view pointer) {
    const api::ObjectPtr object = get(resource, key);
    return object == nullptr ? "gone" : text_below(members_of(*object), pointer);
  }
  [[nodiscard]] std::vector<api::ObjectPtr> all(const api::GroupVersionResource& resource) {
    std::vector<api::ObjectPtr> found;
    host_->transact([&](ServerHost::Transaction& host) { found = objects_in(host, resource, ""); });
    return found;
  }

 private:
  runtime::Runtime& runtime_;
  std::shared_ptr<ClusterControllers> controllers_;
  std::shared_ptr<ServerHost> host_;
};

}  // namespace watchlab::sim
