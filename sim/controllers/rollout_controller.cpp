#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <set>
#include <vector>

#include "sim/apiserver/managed_fields.hpp"
#include "sim/controllers/controller_catalogue.hpp"
#include "sim/controllers/keyed_controller.hpp"
#include "sim/controllers/pod_templates.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

const api::GroupVersionResource kRollouts{"apps", "v1", "deployments"};
const api::GroupVersionResource kSets{"apps", "v1", "replicasets"};
const api::GroupVersionResource kRolledPods{"", "v1", "pods"};
constexpr OwnerKind kDeploymentKind{"apps/v1", "Deployment"};
constexpr const char* kHash = "pod-template-hash";
constexpr const char* kRevision = "deployment.kubernetes.io/revision";

/// A parsed ReplicaSet of a Deployment.
struct ReadSet {
  api::ObjectPtr object;
  json::object body;
  std::int64_t wanted = 0;
  std::int64_t there = 0;
  std::int64_t ready = 0;
  std::int64_t revision = 0;
};

std::int64_t revision_of(const api::ObjectMeta& metadata) {
  const auto found = metadata.annotations.find(kRevision);
  std::int64_t number = 0;
  if (found != metadata.annotations.end()) {
    const std::string& text = found->second;
    (void)std::from_chars(text.data(), text.data() + text.size(), number);
  }
  return number;
}

/// A template without the label that a ReplicaSet adds.
json::object bare_template(const json::object& body) {
  const json::value* const found = value_below(body, "/spec/template");
  json::object made = found != nullptr && found->is_object() ? found->get_object() : json::object();
  json::value* const metadata = made.if_contains("metadata");
  json::value* const labels = metadata != nullptr && metadata->is_object()
                                  ? metadata->get_object().if_contains("labels")
                                  : nullptr;
  if (labels != nullptr && labels->is_object()) {
    labels->get_object().erase(kHash);
  }
  return made;
}

/// A hash of a template, in letters that spell no words. Mirrors apimachinery
/// rand.SafeEncodeString.
std::string hash_of(const json::object& content) {
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  constexpr std::size_t kLength = 10;
  std::uint64_t number = 14695981039346656037U;  // FNV-1a
  for (const char each : json::serialize(content)) {
    number = (number ^ static_cast<unsigned char>(each)) * 1099511628211U;
  }
  std::string text;
  for (std::size_t i = 0; i < kLength; ++i) {
    text += kLetters[number % kLetters.size()];
    number /= kLetters.size();
  }
  return text;
}

/// "25%" of a number, or the number itself.
std::int64_t share_below(const json::object& body, std::string_view pointer, std::int64_t of,
                         bool rounds_up) {
  constexpr std::int64_t kHundred = 100;
  constexpr std::int64_t kQuarter = 25;
  const json::value* const found = value_below(body, pointer);
  if (found != nullptr && found->is_int64()) {
    return found->get_int64();
  }
  std::int64_t percent = kQuarter;
  if (found != nullptr && found->is_string()) {
    const json::string& text = found->get_string();
    (void)std::from_chars(text.data(), text.data() + text.size(), percent);
  }
  return (of * percent + (rounds_up ? kHundred - 1 : 0)) / kHundred;
}

std::int64_t sum(const std::vector<ReadSet>& sets, std::int64_t ReadSet::*what) {
  std::int64_t all = 0;
  for (const ReadSet& each : sets) {
    all += each.*what;
  }
  return all;
}

/// Creates a ReplicaSet for each template of a Deployment, and rolls out the newest. Mirrors
/// kubernetes pkg/controller/deployment, syncDeployment.
class RolloutController final : public KeyedController {
 protected:
  void concerns(const Change& change, std::set<ObjectPlace>& concerned) override {
    const bool is_gone = change.type == watch::EventType::Deleted;
    if (*change.resource == kRollouts && is_gone) {
      deployments_.erase(change.key);
    } else if (*change.resource == kRollouts) {
      deployments_.insert(change.key);
      concerned.emplace(kRollouts, change.key);
    } else if (*change.resource == kRolledPods && is_gone) {
      // The strategy Recreate waits for the last pod to go.
      const std::string space = change.object->metadata.namespace_ + "/";
      for (auto each = deployments_.lower_bound(space);
           each != deployments_.end() && each->starts_with(space); ++each) {
        concerned.emplace(kRollouts, *each);
      }
    } else if (*change.resource == kSets) {
      for (const Owner& owner : owners_of(change.object->metadata)) {
        if (owner.kind == "Deployment" && owner.controls) {
          concerned.emplace(kRollouts,
                            api::key_from(change.object->metadata.namespace_, owner.name));
        }
      }
    }
  }

  void settle(ServerHost::Transaction& host, const api::GroupVersionResource&,
              const api::Object& deployment) override {
    const json::object body = members_of(deployment);
    std::vector<ReadSet> sets = sets_of(host, deployment, body);
    const json::value* const paused = value_below(body, "/spec/paused");
    const bool is_paused = paused != nullptr && *paused == true;
    const json::object wanted = bare_template(body);
    auto newest = std::ranges::find_if(
        sets, [&](const ReadSet& each) { return bare_template(each.body) == wanted; });
    const bool recreates = text_below(body, "/spec/strategy/type") == "Recreate";
    if (newest == sets.end() && !is_paused) {
      if (!recreates || !has_pods(host, sets)) {
        make_set(host, deployment, body, sets);  // which triggers the Deployment again
        return;
      }
      std::ranges::for_each(sets, [&](const ReadSet& each) { scale(host, each, 0); });
    }
    const std::size_t place = static_cast<std::size_t>(newest - sets.begin());
    if (newest != sets.end() && !is_paused) {
      mark_revision(host, deployment, sets, place);
    }
    if (!recreates || newest != sets.end()) {
      scale_sets(host, body, sets, is_paused ? sets.size() : place, recreates);
    }
    forget_old(host, body, sets, place);
    write_progress(host, deployment, body, sets, place);
  }

 private:
  /// Its own sets, oldest first. Adopts those that it selects and nobody controls.
  static std::vector<ReadSet> sets_of(ServerHost::Transaction& host, const api::Object& deployment,
                                      const json::object& body) {
    const json::value* const found = value_below(body, "/spec/selector");
    const json::object selector =
        found != nullptr && found->is_object() ? found->get_object() : json::object();
    std::vector<ReadSet> sets;
    for (const api::ObjectPtr& object : objects_in(host, kSets, deployment.metadata.namespace_)) {
      const std::string owner = controller_of(object->metadata);
      const bool is_selected = selects(selector, object->metadata.labels);
      if ((owner.empty() ? !is_selected : owner != deployment.metadata.uid) ||
          !object->metadata.deletion_timestamp.empty()) {
        continue;
      }
      if (owner.empty() || !is_selected) {
        api::Object next = *object;
        if (is_selected) {
          add_controller(next.metadata, kDeploymentKind, deployment);
        } else {
          drop_owners(next.metadata, {deployment.metadata.uid});
        }
        write_object(host, kSets, std::move(next));
      }
      const api::ObjectPtr now = object_at(host, {kSets, api::key_of(object->metadata)});
      if (is_selected && now != nullptr) {
        ReadSet read{
            .object = now, .body = members_of(*now), .revision = revision_of(now->metadata)};
        read.wanted = number_below(read.body, "/spec/replicas", 1);
        read.there = number_below(read.body, "/status/replicas", 0);
        read.ready = number_below(read.body, "/status/readyReplicas", 0);
        sets.push_back(std::move(read));
      }
    }
    std::ranges::stable_sort(sets, {}, &ReadSet::revision);
    return sets;
  }

  static bool has_pods(ServerHost::Transaction& host, const std::vector<ReadSet>& sets) {
    return std::ranges::any_of(sets, [&](const ReadSet& set) {
      const auto pods = objects_in(host, kRolledPods, set.object->metadata.namespace_);
      return std::ranges::any_of(pods, [&](const api::ObjectPtr& pod) {
        return controller_of(pod->metadata) == set.object->metadata.uid;
      });
    });
  }

  static void scale(ServerHost::Transaction& host, const ReadSet& set, std::int64_t replicas) {
    if (set.wanted == replicas) {
      return;
    }
    api::Object next = *set.object;
    json::object body = set.body;
    body["spec"].as_object()["replicas"] = replicas;
    next.body = json::serialize(body);
    write_object(host, kSets, std::move(next));
  }

  static void make_set(ServerHost::Transaction& host, const api::Object& deployment,
                       const json::object& body, const std::vector<ReadSet>& sets) {
    const std::int64_t replicas = number_below(body, "/spec/replicas", 1);
    const std::int64_t surge =
        text_below(body, "/spec/strategy/type") == "Recreate"
            ? 0
            : share_below(body, "/spec/strategy/rollingUpdate/maxSurge", replicas, true);
    const std::string hash = hash_of(bare_template(body));
    const std::int64_t revision = sets.empty() ? 1 : sets.back().revision + 1;
    const std::int64_t room = replicas + surge - sum(sets, &ReadSet::wanted);
    api::Object set{.metadata = {.name = fmt::format("{}-{}", deployment.metadata.name, hash),
                                 .namespace_ = deployment.metadata.namespace_}};
    set.metadata.labels = labels_below(body, "/spec/template/metadata/labels");
    set.metadata.labels[kHash] = hash;
    set.metadata.annotations = deployment.metadata.annotations;
    set.metadata.annotations.erase("kubectl.kubernetes.io/last-applied-configuration");
    set.metadata.annotations[kRevision] = std::to_string(revision);
    set.metadata.annotations["deployment.kubernetes.io/desired-replicas"] =
        std::to_string(replicas);
    set.metadata.annotations["deployment.kubernetes.io/max-replicas"] =
        std::to_string(replicas + surge);
    add_controller(set.metadata, kDeploymentKind, deployment);
    json::object made = bare_template(body);
    json::value& metadata = made["metadata"];
    json::object& of_pods =
        metadata.is_object() ? metadata.get_object() : metadata.emplace_object();
    json::value& labels = of_pods["labels"];
    (labels.is_object() ? labels.get_object() : labels.emplace_object())[kHash] = hash;
    json::object selector;
    if (const json::value* const found = value_below(body, "/spec/selector")) {
      selector = found->as_object();
    }
    json::value& matched = selector["matchLabels"];
    (matched.is_object() ? matched.get_object() : matched.emplace_object())[kHash] = hash;
    set.body = json::serialize(
        json::object{{"spec",
                      {{"replicas", std::clamp<std::int64_t>(room, 0, replicas)},
                       {"minReadySeconds", number_below(body, "/spec/minReadySeconds", 0)},
                       {"selector", std::move(selector)},
                       {"template", std::move(made)}}}});
    create_object(host, kSets, std::move(set));
  }

  /// The revision of the newest set is the highest, and the Deployment's.
  static void mark_revision(ServerHost::Transaction& host, const api::Object& deployment,
                            std::vector<ReadSet>& sets, std::size_t newest) {
    const std::int64_t highest = sets.back().revision;
    std::int64_t& own = sets[newest].revision;
    if (own == 0 || (own < highest && newest + 1 < sets.size())) {
      own = highest + 1;
      api::Object next = *sets[newest].object;
      next.metadata.annotations[kRevision] = std::to_string(own);
      write_object(host, kSets, std::move(next));
      sets[newest].object = object_at(host, {kSets, api::key_of(sets[newest].object->metadata)});
    }
    if (revision_of(deployment.metadata) != own) {
      api::Object next = deployment;
      next.metadata.annotations[kRevision] = std::to_string(own);
      write_object(host, kRollouts, std::move(next));
    }
  }

  /// Moves all replicas to the set at `newest`, without ever going above or below the numbers that
  /// the strategy allows.
  static void scale_sets(ServerHost::Transaction& host, const json::object& body,
                         std::vector<ReadSet>& sets, std::size_t newest, bool recreates) {
    const std::int64_t replicas = number_below(body, "/spec/replicas", 1);
    const std::int64_t surge =
        recreates ? 0 : share_below(body, "/spec/strategy/rollingUpdate/maxSurge", replicas, true);
    std::int64_t absent =
        recreates
            ? replicas
            : share_below(body, "/spec/strategy/rollingUpdate/maxUnavailable", replicas, false);
    absent = absent == 0 && surge == 0 ? 1 : std::min(absent, replicas);
    if (newest == sets.size()) {
      const auto active =
          std::ranges::count_if(sets, [](const auto& each) { return each.wanted > 0; });
      for (const ReadSet& each : sets) {
        if (active == 1 && each.wanted > 0) {
          scale(host, each, replicas);  // a Deployment that is paused can be scaled
        }
      }
      return;
    }
    const std::int64_t room = replicas + surge - sum(sets, &ReadSet::wanted);
    const std::int64_t grown =
        std::min(replicas, sets[newest].wanted + std::max<std::int64_t>(room, 0));
    scale(host, sets[newest], grown);
    std::int64_t spare = sum(sets, &ReadSet::ready) - (replicas - absent);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (i == newest || sets[i].wanted == 0) {
        continue;
      }
      const std::int64_t unready = std::max<std::int64_t>(sets[i].wanted - sets[i].ready, 0);
      const std::int64_t taken =
          std::min(sets[i].wanted, unready + std::clamp<std::int64_t>(spare, 0, sets[i].ready));
      spare -= std::max<std::int64_t>(taken - unready, 0);
      scale(host, sets[i], sets[i].wanted - taken);
    }
  }

  /// Deletes old sets without pods beyond the number that the Deployment keeps.
  static void forget_old(ServerHost::Transaction& host, const json::object& body,
                         const std::vector<ReadSet>& sets, std::size_t newest) {
    constexpr std::int64_t kKept = 10;
    std::vector<const ReadSet*> old;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (i != newest && sets[i].wanted == 0 && sets[i].there == 0) {
        old.push_back(&sets[i]);
      }
    }
    const std::int64_t kept = number_below(body, "/spec/revisionHistoryLimit", kKept);
    for (std::size_t i = 0; static_cast<std::int64_t>(old.size() - i) > kept; ++i) {
      delete_object(host, kSets, old[i]->object->metadata, "Background");
    }
  }

  static void write_progress(ServerHost::Transaction& host, const api::Object& read,
                             const json::object& body, const std::vector<ReadSet>& sets,
                             std::size_t newest) {
    const api::ObjectPtr deployment = object_at(host, {kRollouts, api::key_of(read.metadata)});
    if (deployment == nullptr) {
      return;
    }
    const std::int64_t replicas = number_below(body, "/spec/replicas", 1);
    const std::int64_t there = sum(sets, &ReadSet::there);
    const std::int64_t ready = sum(sets, &ReadSet::ready);
    const std::int64_t updated = newest < sets.size() ? sets[newest].there : 0;
    const std::int64_t absent =
        std::min(replicas,
                 share_below(body, "/spec/strategy/rollingUpdate/maxUnavailable", replicas, false));
    const bool is_available = ready >= replicas - absent;
    const bool is_done =
        newest < sets.size() && updated == replicas && there == replicas && ready == replicas;
    const std::string set =
        newest < sets.size() ? sets[newest].object->metadata.name : std::string();
    json::object status{{"observedGeneration", deployment->metadata.generation}};
    for (const auto& [member, number] :
         {std::pair("replicas", there), std::pair("updatedReplicas", updated),
          std::pair("readyReplicas", ready), std::pair("availableReplicas", ready),
          std::pair("unavailableReplicas", std::max<std::int64_t>(replicas - ready, 0))}) {
      if (number > 0) {
        status[member] = number;
      }
    }
    const json::value* const before = value_below(body, "/status");
    status["conditions"] =
        conditions(before, timestamp(host.now()),
                   {{"Available", is_available,
                     is_available ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                     is_available ? "Deployment has minimum availability."
                                  : "Deployment does not have minimum availability."},
                    {"Progressing", true, is_done ? "NewReplicaSetAvailable" : "ReplicaSetUpdated",
                     fmt::format("ReplicaSet \"{}\" {}", set,
                                 is_done ? "has successfully progressed." : "is progressing.")}});
    if (before == nullptr || *before != json::value(status)) {
      write_status(host, kRollouts, *deployment, std::move(status));
    }
  }

  struct Condition {
    std::string type;
    bool holds = false;
    std::string reason;
    std::string message;
  };

  /// The existing conditions, with these in place of the ones of the same types.
  static json::array conditions(const json::value* status, const std::string& now,
                                const std::vector<Condition>& said) {
    const json::value* const found = status == nullptr || !status->is_object()
                                         ? nullptr
                                         : value_below(status->get_object(), "/conditions");
    json::array all = found != nullptr && found->is_array() ? found->get_array() : json::array();
    for (const Condition& each : said) {
      const char* const holds = each.holds ? "True" : "False";
      const auto known = std::ranges::find_if(all, [&](const json::value& one) {
        return one.is_object() && text_in(one.get_object(), "type") == each.type;
      });
      const json::object before = known == all.end() ? json::object() : known->get_object();
      if (text_in(before, "status") == holds && text_in(before, "reason") == each.reason &&
          text_in(before, "message") == each.message) {
        continue;
      }
      json::object next = condition_of(each.type, each.reason, now);
      next["status"] = holds;
      next["message"] = each.message;
      next["lastUpdateTime"] = now;
      if (text_in(before, "status") == holds) {
        next["lastTransitionTime"] = text_in(before, "lastTransitionTime");
      }
      if (known == all.end()) {
        all.push_back(std::move(next));
      } else {
        *known = std::move(next);
      }
    }
    return all;
  }

  std::set<std::string> deployments_;  // their keys
};

}  // namespace

std::unique_ptr<ClusterController> make_rollout_controller(const ControllerSettings&) {
  return std::make_unique<RolloutController>();
}

}  // namespace watchlab::sim
