#include <algorithm>
#include <boost/json.hpp>
#include <set>
#include <vector>

#include "sim/controllers/controller_catalogue.hpp"
#include "sim/controllers/keyed_controller.hpp"
#include "sim/controllers/pod_templates.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

const api::GroupVersionResource kReplicaSets{"apps", "v1", "replicasets"};
const api::GroupVersionResource kOldSets{"", "v1", "replicationcontrollers"};
const api::GroupVersionResource kSetPods{"", "v1", "pods"};
const api::GroupVersionResource kSetQuotas{"", "v1", "resourcequotas"};

/// The maximum number of pods of one set, as if its nodes had no room for more.
constexpr std::int64_t kReplicasMax = 1000;
/// A namespace with so many pods gets no more: each look at a set visits them all.
constexpr std::size_t kPodsOfSpaceMax = 10'000;
/// The maximum number of pods that one look at a set creates, so that others come in between.
constexpr std::int64_t kCreatedAtOnce = 100;

OwnerKind kind_of(const api::GroupVersionResource& resource) {
  return resource == kReplicaSets ? OwnerKind{"apps/v1", "ReplicaSet"}
                                  : OwnerKind{"v1", "ReplicationController"};
}

/// The selector. That of a ReplicationController is a map of labels, by default its template's.
json::object selector_of(const api::GroupVersionResource& resource, const json::object& body) {
  const json::value* found = value_below(body, "/spec/selector");
  if (resource == kReplicaSets) {
    return found != nullptr && found->is_object() ? found->get_object() : json::object();
  }
  if (found == nullptr) {
    found = value_below(body, "/spec/template/metadata/labels");
  }
  return found == nullptr ? json::object() : json::object{{"matchLabels", *found}};
}

/// Gives a ReplicaSet or a ReplicationController as many pods as it asks for. Mirrors kubernetes
/// pkg/controller/replicaset, syncReplicaSet.
class ReplicaController final : public KeyedController {
 public:
  ReplicaController() : KeyedController({}, 2) {}  // each visits all pods of its namespace

 protected:
  void concerns(const Change& change, std::set<ObjectPlace>& concerned) override {
    const bool is_gone = change.type == watch::EventType::Deleted;
    if (*change.resource == kReplicaSets || *change.resource == kOldSets) {
      if (is_gone) {
        sets_.erase({change.key, *change.resource});
      } else {
        sets_.emplace(change.key, *change.resource);
        concerned.emplace(*change.resource, change.key);
      }
    } else if (*change.resource == kSetPods && !controller_of(change.object->metadata).empty()) {
      for (const Owner& owner : owners_of(change.object->metadata)) {
        const auto& set = owner.kind == "ReplicaSet" ? kReplicaSets : kOldSets;
        const std::string key = change.object->metadata.namespace_ + "/" + owner.name;
        if (sets_.contains({key, set})) {
          concerned.emplace(set, key);
        }
      }
    } else if (*change.resource == kSetPods || *change.resource == kSetQuotas) {
      // Any of them may adopt a pod that nobody controls, or use the room in a quota.
      const std::string space = change.object->metadata.namespace_ + "/";
      for (auto each = sets_.lower_bound({space, {}});
           each != sets_.end() && each->first.starts_with(space); ++each) {
        concerned.emplace(each->second, each->first);
      }
    }
  }

  void settle(ServerHost::Transaction& host, const api::GroupVersionResource& resource,
              const api::Object& set) override {
    const json::object body = members_of(set);
    const std::vector<api::ObjectPtr> pods = pods_of(host, resource, set, body);
    const std::int64_t wanted = std::min(number_below(body, "/spec/replicas", 1), kReplicasMax);
    auto count = static_cast<std::int64_t>(pods.size());
    std::string refusal;
    const std::size_t there = objects_in(host, kSetPods, set.metadata.namespace_).size();
    const auto room = static_cast<std::int64_t>(kPodsOfSpaceMax - std::min(there, kPodsOfSpaceMax));
    const std::int64_t most = std::min(room, kCreatedAtOnce);
    for (std::int64_t made = 0; count < wanted && refusal.empty() && made < most; ++made) {
      refusal = create_checked(host, kSetPods, pod_of_template(kind_of(resource), set, body));
      count += refusal.empty() ? 1 : 0;
    }
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(pods.size()) - wanted; ++i) {
      delete_object(host, kSetPods, pods[static_cast<std::size_t>(i)]->metadata, "");
      --count;
    }
    write_count(host, resource, set, body, {count, refusal});
  }

 private:
  struct Outcome {
    std::int64_t count = 0;  ///< of its pods
    std::string refusal;     ///< why there are not more
  };

  static void tell_of_refusal(ServerHost::Transaction& host, json::object& status,
                              const std::string& refusal) {
    constexpr std::string_view kFailure = "ReplicaFailure";
    const json::value* const found = status.if_contains("conditions");
    json::array conditions;
    bool is_told = false;
    for (const json::value& each :
         found != nullptr && found->is_array() ? found->get_array() : json::array()) {
      const bool is_failure =
          each.is_object() && text_below(each.get_object(), "/type") == kFailure;
      is_told = is_told || is_failure;
      if (!is_failure || !refusal.empty()) {
        conditions.push_back(each);
      }
    }
    if (!refusal.empty() && !is_told) {
      conditions.push_back(condition_of(kFailure, "FailedCreate", timestamp(host.now())));
      conditions.back().as_object()["message"] = refusal;
    }
    status.erase("conditions");
    if (!conditions.empty()) {
      status["conditions"] = std::move(conditions);
    }
  }

  /// Its own active pods, in the order in which they would be deleted. Adopts pods that nobody
  /// controls, and releases pods that it no longer selects.
  static std::vector<api::ObjectPtr> pods_of(ServerHost::Transaction& host,
                                             const api::GroupVersionResource& resource,
                                             const api::Object& set, const json::object& body) {
    const json::object selector = selector_of(resource, body);
    std::vector<std::pair<bool, api::ObjectPtr>> found;
    for (const api::ObjectPtr& pod : objects_in(host, kSetPods, set.metadata.namespace_)) {
      const std::string owner = controller_of(pod->metadata);
      if (!owner.empty() && owner != set.metadata.uid) {
        continue;
      }
      const json::object of_pod = members_of(*pod);
      if (!is_active_pod(*pod, of_pod)) {
        continue;
      }
      const bool is_selected = selects(selector, pod->metadata.labels);
      api::Object next = *pod;
      if (is_selected && owner.empty()) {
        add_controller(next.metadata, kind_of(resource), set);
        write_object(host, kSetPods, std::move(next));
      } else if (!is_selected && !owner.empty()) {
        drop_owners(next.metadata, {set.metadata.uid});
        write_object(host, kSetPods, std::move(next));
      }
      if (is_selected) {
        found.emplace_back(is_ready_pod(of_pod), pod);
      }
    }
    std::ranges::stable_sort(found, {}, [](const auto& each) { return each.first; });
    std::vector<api::ObjectPtr> pods;
    for (const auto& [is_ready, pod] : found) {
      pods.push_back(pod);
    }
    return pods;
  }

  static void write_count(ServerHost::Transaction& host, const api::GroupVersionResource& resource,
                          const api::Object& set, const json::object& body,
                          const Outcome& outcome) {
    std::int64_t ready = 0;
    std::int64_t labeled = 0;
    const api::Labels wanted = labels_below(body, "/spec/template/metadata/labels");
    for (const api::ObjectPtr& pod : objects_in(host, kSetPods, set.metadata.namespace_)) {
      if (controller_of(pod->metadata) != set.metadata.uid) {
        continue;
      }
      const json::object of_pod = members_of(*pod);
      if (is_active_pod(*pod, of_pod)) {
        ready += is_ready_pod(of_pod) ? 1 : 0;
        labeled += std::ranges::includes(pod->metadata.labels, wanted) ? 1 : 0;
      }
    }
    const json::value* const before = value_below(body, "/status");
    json::object status =
        before != nullptr && before->is_object() ? before->get_object() : json::object();
    status["replicas"] = outcome.count;
    tell_of_refusal(host, status, outcome.refusal);
    status["observedGeneration"] = set.metadata.generation;
    for (const auto& [member, number] :
         {std::pair("fullyLabeledReplicas", labeled), std::pair("readyReplicas", ready),
          std::pair("availableReplicas", ready)}) {
      status.erase(member);
      if (number > 0) {
        status[member] = number;
      }
    }
    if (before == nullptr || *before != json::value(status)) {
      write_status(host, resource, set, std::move(status));
    }
  }

  std::set<std::pair<std::string, api::GroupVersionResource>> sets_;  // by their keys
};

}  // namespace

std::unique_ptr<ClusterController> make_replica_controller(const ControllerSettings&) {
  return std::make_unique<ReplicaController>();
}

}  // namespace watchlab::sim
