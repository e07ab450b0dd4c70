#include "sim/apiserver/resource_type.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "sim/kinds/kind_table.hpp"

namespace watchlab::sim {

namespace {

ResourceType plain(const char* resource, const char* kind) {
  return {.resource = {"", "v1", resource}, .kind = kind};
}

ResourceType with_status(const char* group, const char* version, const char* resource,
                         const char* kind) {
  return {.resource = {group, version, resource},
          .kind = kind,
          .counts_generations = true,
          .status_subresource = true};
}

ResourceType selectable_by(ResourceType type, std::vector<std::string> fields) {
  type.selectable_fields = std::move(fields);
  return type;
}

ResourceType cluster_wide(ResourceType type) {
  type.namespaced = false;
  return type;
}

std::vector<ResourceType> built_in_types() {
  std::vector<ResourceType> types{
      plain("configmaps", "ConfigMap"),
      selectable_by(plain("secrets", "Secret"), {"type"}),
      plain("endpoints", "Endpoints"),
      plain("serviceaccounts", "ServiceAccount"),
      plain("services", "Service"),
      selectable_by(
          with_status("", "v1", "pods", "Pod"),
          {"spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
           "spec.hostNetwork", "status.phase", "status.podIP", "status.nominatedNodeName"}),
      with_status("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim"),
      with_status("", "v1", "replicationcontrollers", "ReplicationController"),
      with_status("apps", "v1", "deployments", "Deployment"),
      with_status("apps", "v1", "replicasets", "ReplicaSet"),
      with_status("apps", "v1", "statefulsets", "StatefulSet"),
      with_status("apps", "v1", "daemonsets", "DaemonSet"),
      with_status("batch", "v1", "jobs", "Job"),
      selectable_by(cluster_wide(plain("nodes", "Node")), {"spec.unschedulable"}),
      selectable_by(cluster_wide(plain("namespaces", "Namespace")), {"status.phase"}),
      cluster_wide(plain("persistentvolumes", "PersistentVolume")),
  };
  types.push_back({.resource = {"coordination.k8s.io", "v1", "leases"}, .kind = "Lease"});
  types.push_back(
      {.resource = {"events.k8s.io", "v1", "events"}, .kind = "Event", .cached = false});
  types.push_back({.resource = {"", "v1", "events"}, .kind = "Event", .cached = false});
  std::set<std::string> described;
  for (const ResourceType& type : types) {
    described.insert(type.kind);
  }
  for (const Kind& kind : KindTable::newest().kinds()) {
    if (kind.has_objects() && described.insert(kind.kind).second) {
      types.push_back(collection_of(kind));  // of several versions, the one that a server prefers
    }
  }
  return types;
}

}  // namespace

ResourceType collection_of(const Kind& kind) {
  const bool has_status =
      std::ranges::count(kind.subresources, "status", &KindSubresource::name) > 0;
  return {.resource = {kind.group(), kind.version(), kind.collection},
          .kind = kind.kind,
          .namespaced = kind.namespaced,
          .counts_generations = kind.counts_generations,
          .status_subresource = has_status,
          .cached = kind.kind != "Event",
          .selectable_fields = kind.selectable_fields};
}

std::string api_version_of(const api::GroupVersionResource& resource) {
  return resource.group.empty() ? resource.version : resource.group + "/" + resource.version;
}

std::string qualified_name(const api::GroupVersionResource& resource) {
  return resource.group.empty() ? resource.resource : resource.resource + "." + resource.group;
}

const std::shared_ptr<const ResourceTypes::Types>& ResourceTypes::built_in() {
  static const std::shared_ptr<const Types> kTypes = [] {
    Types types;
    for (ResourceType& type : built_in_types()) {
      api::GroupVersionResource resource = type.resource;
      types.insert_or_assign(std::move(resource), std::move(type));
    }
    return std::make_shared<const Types>(std::move(types));
  }();
  return kTypes;
}

ResourceTypes::ResourceTypes() : types_(built_in()) {}

void ResourceTypes::define(ResourceType type) {
  std::vector<ResourceType> types;
  types.push_back(std::move(type));
  define(std::move(types));
}

void ResourceTypes::define(std::vector<ResourceType> defined) {
  Types types = *types_;
  for (ResourceType& type : defined) {
    api::GroupVersionResource resource = type.resource;
    types.insert_or_assign(std::move(resource), std::move(type));
  }
  types_ = std::make_shared<const Types>(std::move(types));
  last_ = nullptr;
}

void ResourceTypes::withdraw(const api::GroupVersionResource& resource) {
  Types types = *types_;
  types.erase(resource);
  types_ = std::make_shared<const Types>(std::move(types));
  last_ = nullptr;
}

const ResourceType* ResourceTypes::find(const api::GroupVersionResource& resource) const {
  if (last_ == nullptr || last_->resource != resource) {
    const auto found = types_->find(resource);
    last_ = found == types_->end() ? nullptr : &found->second;
  }
  return last_;
}

const ResourceType* ResourceTypes::find_where(const auto& is_meant) const {
  const ResourceType* found = nullptr;
  for (const auto& [name, type] : *types_) {
    if (is_meant(type)) {
      if (type.is_stored_version()) {
        return &type;
      }
      found = found == nullptr ? &type : found;
    }
  }
  return found;
}

const ResourceType* ResourceTypes::find_stored(const api::GroupVersionResource& resource) const {
  const ResourceType* const found = find(resource);
  return found != nullptr && found->is_stored_version()
             ? found
             : find_where([&](const ResourceType& type) { return type.stored() == resource; });
}

const ResourceType* ResourceTypes::find_named(const std::string& resource) const {
  return find_where([&](const ResourceType& type) { return type.resource.resource == resource; });
}

const ResourceType* ResourceTypes::find_kind(const std::string& kind) const {
  return find_where([&](const ResourceType& type) { return type.kind == kind; });
}

std::vector<std::string> ResourceTypes::kinds() const {
  std::vector<std::string> kinds;
  for (const auto& [name, type] : *types_) {
    kinds.push_back(type.kind);
  }
  return kinds;
}

}  // namespace watchlab::sim
