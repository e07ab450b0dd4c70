#include "sim/http/discovery.hpp"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/json.hpp>
#include <set>

#include "sim/apiserver/resource_definition.hpp"
#include "sim/http/kind_rules.hpp"
#include "sim/http/subresources.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

json::array array_of(const std::vector<std::string>& texts) {
  json::array made;
  for (const std::string& text : texts) {
    made.push_back(json::string(text));
  }
  return made;
}

/// What is answered and not stored: who the client is, and what it may do.
bool is_review(const Kind& kind) { return kind.kind.ends_with("Review"); }

/// A collection as discovery tells it, or what is served beside its objects.
struct Served {
  std::string name;
  std::string singular;
  bool namespaced = true;
  std::vector<std::string> verbs;
  ResourceNames names;
  std::string group;  ///< of the kind that it answers with
  std::string version;
  std::string kind;
  std::vector<Served> below;
};

std::vector<std::string> status_verbs() { return {"get", "patch", "update"}; }

Served custom_collection(const ResourceType& type) {
  Served made{
      .name = type.resource.resource,
      .singular = boost::algorithm::to_lower_copy(type.kind),
      .namespaced = type.namespaced,
      .verbs = {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"},
      .names = {type.short_names, type.categories},
      .group = type.resource.group,
      .version = type.resource.version,
      .kind = type.kind};
  if (type.status_subresource) {
    Served status = made;
    status.name = "status";
    status.verbs = status_verbs();
    made.below.push_back(std::move(status));
  }
  if (type.scale) {
    Served scale = made;
    scale.name = "scale";
    scale.verbs = status_verbs();
    scale.group = "autoscaling";
    scale.version = "v1";
    scale.kind = "Scale";
    scale.below.clear();
    made.below.push_back(std::move(scale));
  }
  return made;
}

Served built_in_collection(const Kind& kind) {
  Served made{.name = kind.collection,
              .singular = kind.singular,
              .namespaced = kind.namespaced,
              .verbs = kind.verbs,
              .names = {kind.short_names, kind.categories},
              .group = kind.group(),
              .version = kind.version(),
              .kind = kind.kind};
  for (const KindSubresource& each : kind.subresources) {
    if (is_served_below(kind.collection, each.name)) {
      const std::size_t slash = each.api_version.find('/');
      Served below{.name = each.name, .namespaced = kind.namespaced, .verbs = each.verbs};
      below.group = slash == std::string::npos ? "" : each.api_version.substr(0, slash);
      below.version = each.api_version.substr(slash == std::string::npos ? 0 : slash + 1);
      below.kind = each.kind;
      made.below.push_back(std::move(below));
    }
  }
  return made;
}

/// All collections of a group and version, and what can only be created there: reviews.
std::vector<Served> served_in(const ResourceTypes& types, std::string_view group,
                              std::string_view version) {
  std::vector<Served> served;
  for (const ResourceType* const type : types_in(types, group, version)) {
    const Kind* const kind = built_in_kind(*type);
    served.push_back(kind == nullptr ? custom_collection(*type) : built_in_collection(*kind));
  }
  for (const Kind& kind : KindTable::newest().kinds()) {
    if (kind.group() == group && kind.version() == version && is_review(kind)) {
      served.push_back(built_in_collection(kind));
    }
  }
  return served;
}

json::object legacy_resource(const Served& each) {
  json::object resource{{"name", each.name},
                        {"singularName", each.singular},
                        {"namespaced", each.namespaced},
                        {"kind", each.kind},
                        {"verbs", array_of(each.verbs)}};
  if (!each.names.short_names.empty()) {
    resource["shortNames"] = array_of(each.names.short_names);
  }
  if (!each.names.categories.empty()) {
    resource["categories"] = array_of(each.names.categories);
  }
  return resource;
}

json::object kind_of(const Served& each) {
  return {{"group", each.group}, {"version", each.version}, {"kind", each.kind}};
}

json::object aggregated_resource(const Served& each) {
  json::object resource{{"resource", each.name},
                        {"responseKind", kind_of(each)},
                        {"scope", each.namespaced ? "Namespaced" : "Cluster"},
                        {"singularResource", each.singular},
                        {"verbs", array_of(each.verbs)}};
  if (!each.names.short_names.empty()) {
    resource["shortNames"] = array_of(each.names.short_names);
  }
  if (!each.names.categories.empty()) {
    resource["categories"] = array_of(each.names.categories);
  }
  json::array subresources;
  for (const Served& below : each.below) {
    subresources.push_back({{"subresource", below.name},
                            {"responseKind", kind_of(below)},
                            {"verbs", array_of(below.verbs)}});
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
  for (const Served& each : served_in(types, group, version)) {
    resources.push_back(legacy_resource(each));
    for (const Served& below : each.below) {
      json::object row = legacy_resource(below);
      row["name"] = each.name + "/" + below.name;
      row["singularName"] = "";
      row.erase("shortNames");
      row.erase("categories");
      if (below.group != each.group || below.version != each.version) {
        row["group"] = below.group;
        row["version"] = below.version;
      }
      resources.push_back(std::move(row));
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
      for (const Served& each : served_in(types, group, served.version)) {
        resources.push_back(aggregated_resource(each));
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
  const std::string& release = KindTable::newest().release();  // "1.37.2"
  const std::size_t dot = release.find('.');
  const std::size_t next = release.find('.', dot + 1);
  return json::serialize(json::object{{"major", release.substr(0, dot)},
                                      {"minor", release.substr(dot + 1, next - dot - 1)},
                                      {"gitVersion", "v" + release + "+watchlab"},
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
  std::vector<ServedVersion> sorted(versions.begin(), versions.end());
  for (const Kind& kind : KindTable::newest().kinds()) {
    const ServedVersion of_kind{kind.group(), kind.version()};
    if (is_review(kind) && versions.insert(of_kind).second) {
      sorted.push_back(of_kind);
    }
  }
  std::ranges::sort(sorted, [](const ServedVersion& one, const ServedVersion& other) {
    return one.group != other.group ? one.group < other.group
                                    : is_preferred(one.version, other.version);
  });
  return sorted;
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

}  // namespace watchlab::sim
