#include "sim/http/discovery.hpp"

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/json.hpp>
#include <set>

#include "sim/http/scale_view.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

/// The release whose behaviour the server shows.
constexpr std::string_view kMajor = "1";
constexpr std::string_view kMinor = "33";
constexpr std::string_view kGitVersion = "v1.33.0+watchlab";

json::array array_of(const std::vector<std::string>& texts) {
  json::array made;
  for (const std::string& text : texts) {
    made.push_back(json::string(text));
  }
  return made;
}

json::array verbs_of(const ResourceType& type) {
  json::array verbs{"create", "delete", "deletecollection", "get",
                    "list",   "patch",  "update",           "watch"};
  if (type.resource.resource == "namespaces") {
    verbs.erase(verbs.begin() + 2);
  }
  return verbs;
}

json::array status_verbs() { return {"get", "patch", "update"}; }

json::object legacy_resource(const ResourceType& type) {
  const ResourceNames names = names_of(type);
  json::object resource{{"name", type.resource.resource},
                        {"singularName", singular_name(type)},
                        {"namespaced", type.namespaced},
                        {"kind", type.kind},
                        {"verbs", verbs_of(type)}};
  if (!names.short_names.empty()) {
    resource["shortNames"] = array_of(names.short_names);
  }
  if (!names.categories.empty()) {
    resource["categories"] = array_of(names.categories);
  }
  return resource;
}

json::object kind_of(const ResourceType& type) {
  return {{"group", type.resource.group}, {"version", type.resource.version}, {"kind", type.kind}};
}

json::object scale_kind() {
  return {{"group", "autoscaling"}, {"version", "v1"}, {"kind", "Scale"}};
}

json::object aggregated_resource(const ResourceType& type) {
  const ResourceNames names = names_of(type);
  json::object resource{{"resource", type.resource.resource},
                        {"responseKind", kind_of(type)},
                        {"scope", type.namespaced ? "Namespaced" : "Cluster"},
                        {"singularResource", singular_name(type)},
                        {"verbs", verbs_of(type)}};
  if (!names.short_names.empty()) {
    resource["shortNames"] = array_of(names.short_names);
  }
  if (!names.categories.empty()) {
    resource["categories"] = array_of(names.categories);
  }
  json::array subresources;
  if (type.status_subresource) {
    subresources.push_back(
        {{"subresource", "status"}, {"responseKind", kind_of(type)}, {"verbs", status_verbs()}});
  }
  if (has_scale(type.resource)) {
    subresources.push_back(
        {{"subresource", "scale"}, {"responseKind", scale_kind()}, {"verbs", status_verbs()}});
  }
  if (!subresources.empty()) {
    resource["subresources"] = subresources;
  }
  return resource;
}

std::string group_version_text(const ServedVersion& served) {
  return served.group.empty() ? served.version : served.group + "/" + served.version;
}

json::object legacy_group(const ResourceTypes& types, std::string_view group) {
  json::array versions;
  for (const ServedVersion& each : served_versions(types)) {
    if (each.group == group) {
      versions.push_back({{"groupVersion", group_version_text(each)}, {"version", each.version}});
    }
  }
  json::object made{{"name", group}, {"versions", versions}};
  if (!versions.empty()) {
    made["preferredVersion"] = versions.front();
  }
  return made;
}

std::set<std::string> groups_of(const ResourceTypes& types) {
  std::set<std::string> groups;
  for (const ServedVersion& each : served_versions(types)) {
    groups.insert(each.group);
  }
  return groups;
}

}  // namespace

std::string core_versions_page() {
  return json::serialize(json::object{{"kind", "APIVersions"},
                                      {"versions", json::array{"v1"}},
                                      {"serverAddressByClientCIDRs", json::array{}}});
}

std::string groups_page(const ResourceTypes& types) {
  json::array groups;
  for (const std::string& group : groups_of(types)) {
    if (!group.empty()) {
      groups.push_back(legacy_group(types, group));
    }
  }
  return json::serialize(
      json::object{{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", groups}});
}

std::string group_page(const ResourceTypes& types, std::string_view group) {
  json::object made = legacy_group(types, group);
  if (group.empty() || made.at("versions").as_array().empty()) {
    return {};
  }
  made["kind"] = "APIGroup";
  made["apiVersion"] = "v1";
  return json::serialize(made);
}

std::string resources_page(const ResourceTypes& types, std::string_view group,
                           std::string_view version) {
  json::array resources;
  for (const ResourceType* type : types_in(types, group, version)) {
    resources.push_back(legacy_resource(*type));
    if (type->status_subresource) {
      resources.push_back({{"name", type->resource.resource + "/status"},
                           {"singularName", ""},
                           {"namespaced", type->namespaced},
                           {"kind", type->kind},
                           {"verbs", status_verbs()}});
    }
    if (has_scale(type->resource)) {
      json::object scale = scale_kind();
      scale["name"] = type->resource.resource + "/scale";
      scale["singularName"] = "";
      scale["namespaced"] = type->namespaced;
      scale["verbs"] = status_verbs();
      resources.push_back(std::move(scale));
    }
  }
  if (resources.empty()) {
    return {};
  }
  return json::serialize(
      json::object{{"kind", "APIResourceList"},
                   {"apiVersion", "v1"},
                   {"groupVersion", group_version_text({std::string(group), std::string(version)})},
                   {"resources", resources}});
}

std::string aggregated_page(const ResourceTypes& types, bool core, std::string_view version) {
  json::array groups;
  for (const std::string& group : groups_of(types)) {
    if (group.empty() != core) {
      continue;
    }
    json::array versions;
    for (const ServedVersion& served : served_versions(types)) {
      if (served.group != group) {
        continue;
      }
      json::array resources;
      for (const ResourceType* type : types_in(types, group, served.version)) {
        resources.push_back(aggregated_resource(*type));
      }
      versions.push_back(
          {{"version", served.version}, {"freshness", "Current"}, {"resources", resources}});
    }
    json::object metadata;
    if (!core) {
      metadata["name"] = group;
    }
    groups.push_back({{"metadata", metadata}, {"versions", versions}});
  }
  return json::serialize(json::object{{"kind", "APIGroupDiscoveryList"},
                                      {"apiVersion", "apidiscovery.k8s.io/" + std::string(version)},
                                      {"metadata", json::object{}},
                                      {"items", groups}});
}

std::string version_page() {
  return json::serialize(json::object{{"major", kMajor},
                                      {"minor", kMinor},
                                      {"gitVersion", kGitVersion},
                                      {"gitCommit", "0000000000000000000000000000000000000000"},
                                      {"gitTreeState", "clean"},
                                      {"buildDate", "2025-01-01T00:00:00Z"},
                                      {"goVersion", "none"},
                                      {"compiler", "c++"},
                                      {"platform", "linux/amd64"}});
}

std::vector<ServedVersion> served_versions(const ResourceTypes& types) {
  std::set<ServedVersion> versions;
  for (const auto& [resource, type] : types.all()) {
    versions.insert({resource.group, resource.version});
  }
  return {versions.begin(), versions.end()};
}

std::vector<const ResourceType*> types_in(const ResourceTypes& types, std::string_view group,
                                          std::string_view version) {
  std::vector<const ResourceType*> found;
  for (const auto& [resource, type] : types.all()) {
    if (resource.group == group && resource.version == version) {
      found.push_back(&type);
    }
  }
  return found;
}

ResourceNames names_of(const ResourceType& type) {
  struct Row {
    std::string_view resource;
    std::string_view short_name;
    bool in_all = false;  ///< shown by `kubectl get all`
  };
  constexpr std::array kRows{Row{"configmaps", "cm"},
                             Row{"customresourcedefinitions", "crd"},
                             Row{"daemonsets", "ds", true},
                             Row{"deployments", "deploy", true},
                             Row{"endpoints", "ep"},
                             Row{"events", "ev"},
                             Row{"jobs", "", true},
                             Row{"namespaces", "ns"},
                             Row{"nodes", "no"},
                             Row{"persistentvolumeclaims", "pvc"},
                             Row{"persistentvolumes", "pv"},
                             Row{"pods", "po", true},
                             Row{"replicasets", "rs", true},
                             Row{"replicationcontrollers", "rc", true},
                             Row{"serviceaccounts", "sa"},
                             Row{"services", "svc", true},
                             Row{"statefulsets", "sts", true}};
  const auto* const row = std::ranges::find(kRows, type.resource.resource, &Row::resource);
  ResourceNames names{type.short_names, type.categories};
  if (row == kRows.end() || type.custom) {
    return names;
  }
  if (!row->short_name.empty()) {
    names.short_names.emplace_back(row->short_name);
  }
  if (row->in_all) {
    names.categories.emplace_back("all");
  }
  return names;
}

std::string singular_name(const ResourceType& type) {
  return boost::algorithm::to_lower_copy(type.kind);
}

}  // namespace watchlab::sim
