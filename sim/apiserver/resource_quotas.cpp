#include "sim/apiserver/resource_quotas.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/api/object.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/kinds/quantity.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

using Amounts = std::map<std::string, Quantity, std::less<>>;

const api::GroupVersionResource kQuotas{"", "v1", "resourcequotas"};

constexpr std::array<std::string_view, 3> kNative{"cpu", "memory", "ephemeral-storage"};
/// Counted by their own names as well as by count/NAME.
constexpr std::array<std::string_view, 6> kCounted{
    "services",      "secrets", "configmaps", "replicationcontrollers", "persistentvolumeclaims",
    "resourcequotas"};

const json::object& part_in(const json::object& object, std::string_view name) {
  static const json::object kNone;
  const json::value* const found = object.if_contains(name);
  return found != nullptr && found->is_object() ? found->get_object() : kNone;
}

std::vector<json::object> list_in(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains(name);
  std::vector<json::object> made;
  for (const json::value& each :
       found != nullptr && found->is_array() ? found->get_array() : json::array()) {
    made.push_back(each.is_object() ? each.get_object() : json::object());
  }
  return made;
}

std::vector<std::string> texts_in(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains(name);
  std::vector<std::string> made;
  for (const json::value& each :
       found != nullptr && found->is_array() ? found->get_array() : json::array()) {
    made.emplace_back(each.is_string() ? std::string_view(each.get_string()) : std::string_view());
  }
  return made;
}

bool is_set(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains(name);
  return found != nullptr && !found->is_null();
}

Amounts amounts_in(const json::object& object) {
  Amounts made;
  for (const auto& [name, value] : object) {
    const std::string text =
        value.is_string() ? std::string(value.get_string()) : json::serialize(value);
    made[name] = Quantity::from(text).value_or(Quantity());
  }
  return made;
}

void add(Amounts& to, const Amounts& more) {
  for (const auto& [name, amount] : more) {
    to[name] += amount;
  }
}

/// The requests or limits of a pod: the sum of its containers, or the largest init container if
/// that is more.
Amounts amounts_of_pod(const json::object& spec, std::string_view which) {
  Amounts all;
  for (const json::object& each : list_in(spec, "containers")) {
    add(all, amounts_in(part_in(part_in(each, "resources"), which)));
  }
  for (const json::object& each : list_in(spec, "initContainers")) {
    for (const auto& [name, amount] : amounts_in(part_in(part_in(each, "resources"), which))) {
      all[name] = std::max(all[name], amount);
    }
  }
  for (const auto& [name, amount] : amounts_in(part_in(part_in(spec, "resources"), which))) {
    all[name] = amount;  // of the whole pod
  }
  add(all, amounts_in(part_in(spec, "overhead")));
  return all;
}

/// The amounts under the names that quotas use.
Amounts named_amounts(const Amounts& requests, const Amounts& limits) {
  Amounts named;
  for (const auto& [name, amount] : requests) {
    const bool is_native = std::ranges::find(kNative, name) != kNative.end();
    named["requests." + name] = amount;
    if (is_native || name.starts_with("hugepages-")) {
      named[name] = amount;
    }
  }
  for (const std::string_view name : kNative) {
    if (const auto found = limits.find(name); found != limits.end()) {
      named[fmt::format("limits.{}", name)] = found->second;
    }
  }
  return named;
}

Amounts usage_of_pod(const json::object& body) {
  const std::string phase = text_in(part_in(body, "status"), "phase");
  if (phase == "Succeeded" || phase == "Failed") {
    return {};
  }
  const json::object& spec = part_in(body, "spec");
  Amounts used = named_amounts(amounts_of_pod(spec, "requests"), amounts_of_pod(spec, "limits"));
  used["pods"] = Quantity(1);
  return used;
}

Amounts usage_of_service(const json::object& body) {
  const json::object& spec = part_in(body, "spec");
  const std::string type = text_in(spec, "type");
  const json::value* const allocates = spec.if_contains("allocateLoadBalancerNodePorts");
  const bool is_balanced = type == "LoadBalancer";
  const std::vector<json::object> listed = list_in(spec, "ports");
  const auto ports = static_cast<long long>(listed.size());
  const auto given = std::ranges::count_if(
      listed, [](const json::object& port) { return is_set(port, "nodePort"); });
  const bool is_frugal = is_balanced && allocates != nullptr && *allocates == false;
  const bool has_ports = type == "NodePort" || is_balanced;
  return {{"services.loadbalancers", Quantity(is_balanced ? 1 : 0)},
          {"services.nodeports", Quantity(!has_ports  ? 0
                                          : is_frugal ? given
                                                      : ports)}};
}

Amounts usage_of_claim(const json::object& body) {
  const json::object& spec = part_in(body, "spec");
  const Amounts asked = amounts_in(part_in(part_in(spec, "resources"), "requests"));
  const auto found = asked.find("storage");
  const Quantity storage = found == asked.end() ? Quantity() : found->second;
  Amounts used{{"requests.storage", storage}};
  if (const std::string name = text_in(spec, "storageClassName"); !name.empty()) {
    const std::string prefix = name + ".storageclass.storage.k8s.io/";
    used[prefix + "requests.storage"] = storage;
    used[prefix + "persistentvolumeclaims"] = Quantity(1);
  }
  return used;
}

Amounts usage_of(const ResourceType& type, const api::Object& object) {
  const api::GroupVersionResource& resource = type.resource;
  const json::object body = object_in(object.body);
  Amounts used;
  if (resource.group.empty() && resource.resource == "pods") {
    used = usage_of_pod(body);
  } else if (resource.group.empty() && resource.resource == "services") {
    used = usage_of_service(body);
  } else if (resource.group.empty() && resource.resource == "persistentvolumeclaims") {
    used = usage_of_claim(body);
  }
  used["count/" + qualified_name(resource)] = Quantity(1);
  if (resource.group.empty() && std::ranges::find(kCounted, resource.resource) != kCounted.end()) {
    used[resource.resource] = Quantity(1);
  }
  return used;
}

/// Whether that can be counted; what can't has no place in a quota's status.
bool is_counted(const ResourceTypes& types, std::string_view name) {
  constexpr std::string_view kCount = "count/";
  if (name.starts_with(kCount)) {
    return std::ranges::any_of(types.all(), [&](const auto& each) {
      return qualified_name(each.first) == name.substr(kCount.size());
    });
  }
  const std::size_t dot = name.find('.');
  const std::string_view first = name.substr(0, dot);
  return name == "pods" || first == "requests" || name.starts_with("hugepages-") ||
         name.find(".storageclass.storage.k8s.io/") != std::string_view::npos ||
         std::ranges::find(kCounted, first) != kCounted.end() ||
         std::ranges::find(kNative, name) != kNative.end() ||
         (first == "limits" &&
          std::ranges::find(kNative, name.substr(std::min(dot + 1, name.size()))) != kNative.end());
}

bool is_best_effort(const json::object& spec) {
  const auto asks = [&](std::string_view which) {
    const Amounts amounts = amounts_of_pod(spec, which);
    return std::ranges::any_of(amounts, [](const auto& each) {
      return (each.first == "cpu" || each.first == "memory") && each.second > Quantity();
    });
  };
  return !asks("requests") && !asks("limits");
}

/// Whether the pod has an affinity to pods of other namespaces.
bool looks_abroad(const json::object& spec) {
  const json::object& affinity = part_in(spec, "affinity");
  for (const std::string_view kind : {"podAffinity", "podAntiAffinity"}) {
    const json::object& wish = part_in(affinity, kind);
    std::vector<json::object> terms =
        list_in(wish, "requiredDuringSchedulingIgnoredDuringExecution");
    for (const json::object& each :
         list_in(wish, "preferredDuringSchedulingIgnoredDuringExecution")) {
      terms.push_back(part_in(each, "podAffinityTerm"));
    }
    if (std::ranges::any_of(terms, [](const json::object& term) {
          return !list_in(term, "namespaces").empty() || is_set(term, "namespaceSelector");
        })) {
      return true;
    }
  }
  return false;
}

bool selects(const std::string& op, const std::vector<std::string>& values,
             const std::string& value) {
  const bool is_in = std::ranges::find(values, value) != values.end();
  return op == "In"             ? !value.empty() && is_in
         : op == "NotIn"        ? !is_in
         : op == "DoesNotExist" ? value.empty()
                                : !value.empty();
}

/// Whether an object is in a scope. Only pods and claims can be.
bool is_in_scope(const json::object& scope, const std::string& resource, const json::object& spec) {
  const std::string name = text_in(scope, "scopeName");
  const std::string op = text_in(scope, "operator");
  if (resource == "persistentvolumeclaims") {
    return name == "VolumeAttributesClass" &&
           selects(op, texts_in(scope, "values"), text_in(spec, "volumeAttributesClassName"));
  }
  if (resource != "pods") {
    return false;
  }
  return name == "Terminating"      ? is_set(spec, "activeDeadlineSeconds")
         : name == "NotTerminating" ? !is_set(spec, "activeDeadlineSeconds")
         : name == "BestEffort"     ? is_best_effort(spec)
         : name == "NotBestEffort"  ? !is_best_effort(spec)
         : name == "PriorityClass"
             ? selects(op, texts_in(scope, "values"), text_in(spec, "priorityClassName"))
             : name == "CrossNamespacePodAffinity" && looks_abroad(spec);
}

/// A parsed quota.
struct Quota {
  explicit Quota(const api::Object& object) : name(object.metadata.name) {
    const json::object body = object_in(object.body);
    const json::object& spec = part_in(body, "spec");
    hard = amounts_in(part_in(spec, "hard"));
    for (const std::string& scope : texts_in(spec, "scopes")) {
      scopes.push_back({{"scopeName", scope}, {"operator", "Exists"}});
    }
    std::ranges::move(list_in(part_in(spec, "scopeSelector"), "matchExpressions"),
                      std::back_inserter(scopes));
  }

  [[nodiscard]] bool is_about(const ResourceType& type, const api::Object& object) const {
    if (scopes.empty()) {
      return true;
    }
    const json::object body = object_in(object.body);
    return std::ranges::all_of(scopes, [&](const json::object& scope) {
      return is_in_scope(scope, qualified_name(type.resource), part_in(body, "spec"));
    });
  }

  /// How much the objects of a collection use of what it limits, except for one object.
  [[nodiscard]] Amounts used(const ObjectStore& store, const ResourceType& type,
                             const std::string& space, const std::string& but_for) const {
    Amounts all;
    store.visit(type.stored(), {.namespace_ = space}, store.revision(),
                [&](const std::string&, const api::ObjectPtr& object) {
                  if (object->metadata.name != but_for && is_about(type, *object)) {
                    add(all, usage_of(type, *object));
                  }
                  return true;
                });
    return all;
  }

  std::string name;
  Amounts hard;
  std::vector<json::object> scopes;
};

api::Status forbidden(const ResourceType& type, const api::Object& object, std::string_view why) {
  api::Status status =
      api::failure(api::StatusReason::Forbidden,
                   fmt::format("{} \"{}\" is forbidden: {}", qualified_name(type.resource),
                               object.metadata.name, why));
  status.details.name = object.metadata.name;
  status.details.group = type.resource.group;
  status.details.kind = type.resource.resource;
  return status;
}

/// What the containers of a new pod must specify because a quota limits it, but don't: "cpu for:
/// web; memory for: web". Mirrors podEvaluator.Constraints.
std::string unsaid(const Quota& quota, const api::Object& pod) {
  constexpr std::array<std::string_view, 6> kDemanded{"cpu",    "limits.cpu",   "limits.memory",
                                                      "memory", "requests.cpu", "requests.memory"};
  const json::object body = object_in(pod.body);
  const json::object& spec = part_in(body, "spec");
  if (is_set(spec, "resources")) {
    return "";
  }
  std::vector<json::object> containers = list_in(spec, "containers");
  std::ranges::move(list_in(spec, "initContainers"), std::back_inserter(containers));
  std::vector<std::string> words;
  for (const std::string_view name : kDemanded) {
    std::vector<std::string> silent;
    for (const json::object& each : containers) {
      const json::object& resources = part_in(each, "resources");
      if (quota.hard.contains(name) && !named_amounts(amounts_in(part_in(resources, "requests")),
                                                      amounts_in(part_in(resources, "limits")))
                                            .contains(name)) {
        silent.push_back(text_in(each, "name"));
      }
    }
    if (!silent.empty()) {
      std::ranges::sort(silent);
      words.push_back(fmt::format("{} for: {}", name, fmt::join(silent, ",")));
    }
  }
  return words.empty() ? "" : fmt::format("must specify {}", fmt::join(words, "; "));
}

/// What is too much: "exceeded quota: …"; "" when there is room.
std::string excess(const Quota& quota, const Amounts& used, Amounts wanted, const Amounts& had) {
  std::array<std::vector<std::string>, 3> lists;
  for (auto& [name, amount] : wanted) {
    const auto limit = quota.hard.find(name);
    if (const auto before = had.find(name); before != had.end()) {
      amount -= before->second;
    }
    if (limit == quota.hard.end() || amount <= Quantity()) {
      continue;
    }
    const auto found = used.find(name);
    Quantity now = found == used.end() ? Quantity() : found->second;
    if (const auto before = had.find(name); before != had.end()) {
      now += before->second;
    }
    Quantity then = now;
    then += amount;
    if (then > limit->second) {
      lists[0].push_back(fmt::format("{}={}", name, amount.text()));
      lists[1].push_back(fmt::format("{}={}", name, now.text()));
      lists[2].push_back(fmt::format("{}={}", name, limit->second.text()));
    }
  }
  return lists[0].empty() ? ""
                          : fmt::format("exceeded quota: {}, requested: {}, used: {}, limited: {}",
                                        quota.name, fmt::join(lists[0], ","),
                                        fmt::join(lists[1], ","), fmt::join(lists[2], ","));
}

}  // namespace

json::object quota_status(const ObjectStore& store, const ResourceTypes& types,
                          const api::Object& object) {
  const Quota quota(object);
  Amounts all;
  for (const api::GroupVersionResource& resource : store.resources()) {
    const ResourceType* const type = types.find_stored(resource);
    if (type != nullptr && type->namespaced) {
      add(all, quota.used(store, *type, object.metadata.namespace_, ""));
    }
  }
  json::object hard;
  json::object used;
  for (const auto& [name, amount] : quota.hard) {
    hard[name] = amount.text();
    if (is_counted(types, name)) {
      used[name] = all[name].text();
    }
  }
  return {{"hard", std::move(hard)}, {"used", std::move(used)}};
}

std::optional<api::Status> refusal_of_quota(const ObjectStore& store, const ResourceType& type,
                                            const api::Object* before, const api::Object& next) {
  if (!type.namespaced) {
    return std::nullopt;
  }
  const bool is_pod = type.resource.group.empty() && type.resource.resource == "pods";
  std::optional<api::Status> refusal;
  store.visit(kQuotas, {.namespace_ = next.metadata.namespace_}, store.revision(),
              [&](const std::string&, const api::ObjectPtr& object) {
                const Quota quota(*object);
                if (!quota.is_about(type, next)) {
                  return true;
                }
                std::string why = is_pod && before == nullptr ? unsaid(quota, next) : "";
                if (!why.empty()) {
                  why = fmt::format("failed quota: {}: {}", quota.name, why);
                } else {
                  const bool counted = before != nullptr && quota.is_about(type, *before);
                  why = excess(
                      quota, quota.used(store, type, next.metadata.namespace_, next.metadata.name),
                      usage_of(type, next), counted ? usage_of(type, *before) : Amounts());
                }
                if (!why.empty()) {
                  refusal = forbidden(type, next, why);
                }
                return !refusal.has_value();
              });
  return refusal;
}

}  // namespace watchlab::sim
