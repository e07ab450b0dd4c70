// Operators as they were published: each acts on what its store shows, beside one that makes sure.
#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "core/runtime/task.hpp"
#include "sim/story/options.hpp"
#include "sim/story/reconciler.hpp"

namespace watchlab::sim {
namespace {

constexpr runtime::Duration moment = std::chrono::seconds(2);
constexpr int children_max = 9;

std::string said(const api::Object& object, const std::string& what) {
  const api::Labels data = data_of(object);
  const auto found = data.find(what);
  return found == data.end() ? "" : found->second;
}

int number_said(const api::Object& object, const std::string& what) {
  const std::string text = said(object, what);
  int number = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// What is as somebody else has left it is as good as done.
api::Result<void> but_for(const api::Result<void>& answer, api::StatusReason fine) {
  const bool is_fine = !answer && (answer.error().status.reason == fine ||
                                   answer.error().status.reason == api::StatusReason::NotFound);
  return is_fine ? api::Result<void>() : answer;
}

api::Result<void> make(ReconcileContext& context, const ObjectSketch& sketch) {
  const auto made = context.connection.create(context.stop, config_map_from(sketch));
  return made ? api::Result<void>()
              : but_for(api::Result<void>(made.error()), api::StatusReason::AlreadyExists);
}

Request about(Verb verb, const api::Object& object) {
  return {.verb = verb, .namespace_ = object.metadata.namespace_, .name = object.metadata.name};
}

api::Result<void> remove(ReconcileContext& context, const api::ObjectPtr& object, bool by_uid) {
  Request request = about(Verb::Delete, *object);
  request.deletion.uid = by_uid ? object->metadata.uid : "";
  const auto answer = context.connection.request(context.stop, std::move(request));
  return answer ? api::Result<void>()
                : but_for(api::Result<void>(answer.error()), api::StatusReason::Conflict);
}

/// The newest state of an object, not what the store shows; null when it is gone or unreachable.
api::ObjectPtr asked_for(ReconcileContext& context, const api::Object& object) {
  const auto answer = context.connection.request(context.stop, about(Verb::Get, object));
  return answer ? std::get<api::ObjectPtr>(answer->answer) : nullptr;
}

/// A kubelet: its node is its name up to the first underscore. It runs the pods of its node, each
/// as an object POD-on-NODE. (kubernetes #59848)
class Kubelet final : public Reconciler {
 public:
  explicit Kubelet(bool asks) : asks_(asks) {}

  api::Result<void> reconcile(const std::string& key, ReconcileContext& context) override {
    const std::string& client = context.connection.options().client;
    const std::string node = client.substr(0, client.find('_'));
    const api::ObjectPtr pod = context.store->get_by_key(key);
    if (!pod) {
      const api::ObjectPtr running = context.store->get_by_key(key + "-on-" + node);
      return running ? remove(context, running, false) : api::Result<void>();
    }
    if (said(*pod, "node") != node) {
      return {};
    }
    if (asks_) {
      const api::ObjectPtr now = asked_for(context, *pod);
      if (!now || now->metadata.uid != pod->metadata.uid) {
        return {};
      }
    }
    return make(context, {.name = pod->metadata.name + "-on-" + node});
  }

 private:
  bool asks_;
};

/// Removes the members of a ring beyond those that it asks for. (cassandra-operator #402)
class Shrinker final : public Reconciler {
 public:
  explicit Shrinker(bool asks) : asks_(asks) {}

  api::Result<void> reconcile(const std::string& key, ReconcileContext& context) override {
    api::ObjectPtr ring = context.store->get_by_key(key);
    if (ring && asks_) {
      ring = asked_for(context, *ring);
    }
    if (!ring || said(*ring, "members").empty()) {
      return {};
    }
    for (int i = number_said(*ring, "members") + 1; i <= children_max; ++i) {
      const api::ObjectPtr member = context.store->get_by_key(fmt::format("{}-{}", key, i));
      if (const auto removed = member ? remove(context, member, false) : api::Result<void>();
          !removed) {
        return removed;
      }
    }
    return {};
  }

 private:
  bool asks_;
};

/// Removes the volume of a pod that goes; or of any pod but the one that is there.
/// (zookeeper-operator #453)
class Cleaner final : public Reconciler {
 public:
  explicit Cleaner(bool compares) : compares_(compares) {}

  api::Result<void> reconcile(const std::string& key, ReconcileContext& context) override {
    const api::ObjectPtr pod = context.store->get_by_key(key);
    const api::ObjectPtr volume = context.store->get_by_key(key + "-volume");
    if (!pod || !volume) {
      return {};
    }
    const bool goes = said(*pod, "state") == "deleting";
    const bool is_anothers = compares_ && said(*volume, "of") != said(*pod, "turn");
    return goes || is_anothers ? remove(context, volume, true) : api::Result<void>();
  }

 private:
  bool compares_;
};

/// Makes up a password for a user, keeps it in USER-secret, and writes into the user that it has
/// one. (percona-server-mongodb-operator, K8SPSMDB-578)
class Passwords final : public Reconciler {
 public:
  Passwords(runtime::Runtime& runtime, bool adopts) : runtime_(runtime), adopts_(adopts) {}

  api::Result<void> reconcile(const std::string& key, ReconcileContext& context) override {
    const api::ObjectPtr user = context.store->get_by_key(key);
    if (!user || said(*user, "wants") != "password" || said(*user, "has") == "password") {
      return {};
    }
    const ObjectSketch secret{.name = user->metadata.name + "-secret",
                              .data = {{"password", "by " + context.connection.options().client}}};
    const auto created = context.connection.create(context.stop, config_map_from(secret));
    if (!created && !adopts_) {
      const auto written = context.connection.update(context.stop, config_map_from(secret));
      if (!written) {
        return written.error();
      }
    }
    runtime::sleep_for(runtime_, moment);
    const auto told = context.connection.update(
        context.stop, config_map_from({.name = user->metadata.name,
                                       .data = {{"wants", "password"}, {"has", "password"}}}));
    return told ? api::Result<void>() : api::Result<void>(told.error());
  }

 private:
  runtime::Runtime& runtime_;
  bool adopts_;
};

/// How a resizer goes about it.
struct Manner {
  bool by_uid = false;           ///< deletes only the set that it has seen
  bool makes_missing = false;    ///< makes a set that is not there, whyever
  runtime::Duration pause = {};  ///< between deleting and making
};

/// A set cannot be resized: CLUSTER-set is deleted and made again with the size that CLUSTER asks
/// for. (rabbitmq cluster-operator #653 and #782)
class Resizer final : public Reconciler {
 public:
  Resizer(runtime::Runtime& runtime, Manner manner) : runtime_(runtime), manner_(manner) {}

  api::Result<void> reconcile(const std::string& key, ReconcileContext& context) override {
    const api::ObjectPtr cluster = context.store->get_by_key(key);
    if (!cluster || said(*cluster, "size").empty() || key.ends_with("-set")) {
      return {};
    }
    const std::string size = said(*cluster, "size");
    const api::ObjectPtr set = context.store->get_by_key(key + "-set");
    if (set ? said(*set, "size") == size : !manner_.makes_missing) {
      return {};
    }
    if (const auto gone = set ? remove(context, set, manner_.by_uid) : api::Result<void>(); !gone) {
      return gone;
    }
    if (manner_.pause > runtime::Duration::zero()) {
      runtime::sleep_for(runtime_, manner_.pause);
    }
    return make(context, {.name = cluster->metadata.name + "-set", .data = {{"size", size}}});
  }

 private:
  runtime::Runtime& runtime_;
  Manner manner_;
};

template <typename Operator, bool makes_sure>
std::unique_ptr<Reconciler> simple(runtime::Runtime& /*runtime*/) {
  return std::make_unique<Operator>(makes_sure);
}

template <bool makes_sure>
std::unique_ptr<Reconciler> passwords(runtime::Runtime& runtime) {
  return std::make_unique<Passwords>(runtime, makes_sure);
}

template <bool by_uid, bool makes_missing, bool pauses>
std::unique_ptr<Reconciler> resizer(runtime::Runtime& runtime) {
  return std::make_unique<Resizer>(
      runtime, Manner{by_uid, makes_missing, pauses ? moment : runtime::Duration::zero()});
}

}  // namespace

std::vector<ReconcilerEntry> operator_reconcilers() {
  return {
      {"pods_from_cache", "runs the pods that its store shows on its node, each as POD-on-NODE",
       simple<Kubelet, false>},
      {"pods_after_asking", "the same, but asks the server whether the pod is still that one",
       simple<Kubelet, true>},
      {"members_from_cache", "removes members beyond those that its store's ring asks for",
       simple<Shrinker, false>},
      {"members_after_asking", "the same, but asks the server how many the ring asks for",
       simple<Shrinker, true>},
      {"volumes_by_event", "removes the volume of a pod that it sees go", simple<Cleaner, false>},
      {"volumes_by_state", "removes any volume that is not of the pod which is there",
       simple<Cleaner, true>},
      {"passwords_made_anew", "makes up a password until the user is told that it has one",
       passwords<false>},
      {"passwords_adopted", "the same, but takes a password that is there already",
       passwords<true>},
      {"resizes_by_name", "deletes a set of the wrong size by its name and makes another",
       resizer<false, false, false>},
      {"resizes_by_uid", "the same, but deletes only the set that it has seen",
       resizer<true, false, false>},
      {"remakes_at_once", "deletes a set of the wrong size, and a moment later makes another",
       resizer<true, false, true>},
      {"remakes_when_missing", "the same, but makes a set also when there simply is none",
       resizer<true, true, true>},
  };
}

}  // namespace watchlab::sim
