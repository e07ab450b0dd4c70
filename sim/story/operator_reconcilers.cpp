// Operators as they were published: each acts on what its store shows, beside one that makes sure.
#include <fmt/format.h>

#include <utility>

#include "core/runtime/task.hpp"
#include "sim/story/options.hpp"
#include "sim/story/reconciler.hpp"

namespace watchlab::sim {
namespace {

constexpr runtime::Duration kMoment = std::chrono::seconds(2);
constexpr int kChildrenMax = 9;

/// Only whether it succeeded.
api::Result<void> without_value(const auto& result) {
  return result ? api::Result<void>() : api::Result<void>(result.error());
}

/// A write that another client has made already is as good as done.
api::Result<void> but_for(const api::Result<void>& answer, api::StatusReason fine) {
  const bool is_fine = !answer && (answer.error().status.reason == fine ||
                                   answer.error().status.reason == api::StatusReason::NotFound);
  return is_fine ? api::Result<void>() : answer;
}

api::Result<void> make(ReconcileContext& context, const ObjectSketch& sketch) {
  const auto made = context.connection.create(context.stop, config_map_from(sketch));
  return but_for(without_value(made), api::StatusReason::AlreadyExists);
}

Request about(Verb verb, const api::Object& object) {
  return {.verb = verb, .namespace_ = object.metadata.namespace_, .name = object.metadata.name};
}

api::Result<void> remove(ReconcileContext& context, Request deletion) {
  const auto answer = context.connection.request(context.stop, std::move(deletion));
  return but_for(without_value(answer), api::StatusReason::Conflict);
}

api::Result<void> remove(ReconcileContext& context, const api::ObjectPtr& object, bool by_uid) {
  Request deletion = about(Verb::Delete, *object);
  deletion.deletion.uid = by_uid ? object->metadata.uid : "";
  return remove(context, std::move(deletion));
}

/// The newest state of an object, not what the store shows; null when it is gone or unreachable.
api::ObjectPtr asked_for(ReconcileContext& context, const api::Object& object) {
  const auto answer = context.connection.request(context.stop, about(Verb::Get, object));
  return answer ? std::get<api::ObjectPtr>(answer->answer) : nullptr;
}

/// Deletes what belongs to an object that is being deleted, as `storage` in the state "deleting";
/// by its name also what its store does not show.
template <bool by_uid>
api::Result<void> clean_up(const std::string& key, ReconcileContext& context) {
  const api::ObjectPtr owner = context.store->get_by_key(key);
  if (!owner || value_in(*owner, "state") != "deleting") {
    return {};
  }
  const api::ObjectPtr belongings = context.store->get_by_key(key + "-data");
  if (by_uid) {
    return belongings ? remove(context, belongings, true) : api::Result<void>();
  }
  Request deletion = about(Verb::Delete, *owner);
  deletion.name += "-data";
  return remove(context, std::move(deletion));
}

/// A kubelet: its node is its name up to the first underscore. It runs the pods of its node, each
/// as an object POD-on-NODE. (kubernetes #59848)
template <bool asks>
api::Result<void> run_pods(const std::string& key, ReconcileContext& context) {
  const std::string& client = context.connection.options().client;
  const std::string node = client.substr(0, client.find('_'));
  const api::ObjectPtr pod = context.store->get_by_key(key);
  if (!pod) {
    const api::ObjectPtr running = context.store->get_by_key(key + "-on-" + node);
    return running ? remove(context, running, false) : api::Result<void>();
  }
  if (value_in(*pod, "node") != node) {
    return {};
  }
  if (asks) {
    const api::ObjectPtr now = asked_for(context, *pod);
    if (!now || now->metadata.uid != pod->metadata.uid) {
      return {};
    }
  }
  return make(context, {.name = pod->metadata.name + "-on-" + node});
}

/// Removes the members of a ring beyond those that it asks for. (cassandra-operator #402)
template <bool asks>
api::Result<void> remove_members(const std::string& key, ReconcileContext& context) {
  api::ObjectPtr ring = context.store->get_by_key(key);
  if (ring && asks) {
    ring = asked_for(context, *ring);
  }
  if (!ring || value_in(*ring, "members").empty()) {
    return {};
  }
  for (int i = number_in(*ring, "members") + 1; i <= kChildrenMax; ++i) {
    const api::ObjectPtr member = context.store->get_by_key(fmt::format("{}-{}", key, i));
    if (const auto removed = member ? remove(context, member, false) : api::Result<void>();
        !removed) {
      return removed;
    }
  }
  return {};
}

/// Removes the volume of a pod that goes; or of any pod but the one that is there.
/// (zookeeper-operator #453)
template <bool compares>
api::Result<void> remove_volume(const std::string& key, ReconcileContext& context) {
  const api::ObjectPtr pod = context.store->get_by_key(key);
  const api::ObjectPtr volume = context.store->get_by_key(key + "-volume");
  if (!pod || !volume) {
    return {};
  }
  const bool goes = value_in(*pod, "state") == "deleting";
  const bool is_anothers = compares && value_in(*volume, "of") != value_in(*pod, "turn");
  return goes || is_anothers ? remove(context, volume, true) : api::Result<void>();
}

/// Makes up a password for a user, keeps it in USER-secret, and writes into the user that it has
/// one. (percona-server-mongodb-operator, K8SPSMDB-578)
template <bool adopts>
api::Result<void> make_password(const std::string& key, ReconcileContext& context) {
  const api::ObjectPtr user = context.store->get_by_key(key);
  if (!user || value_in(*user, "wants") != "password" || value_in(*user, "has") == "password") {
    return {};
  }
  const ObjectSketch secret{.name = user->metadata.name + "-secret",
                            .data = {{"password", "by " + context.connection.options().client}}};
  const auto created = context.connection.create(context.stop, config_map_from(secret));
  if (!created && !adopts) {
    const auto written = context.connection.update(context.stop, config_map_from(secret));
    if (!written) {
      return written.error();
    }
  }
  runtime::sleep_for(context.runtime, kMoment);
  const auto noted = context.connection.update(
      context.stop, config_map_from({.name = user->metadata.name,
                                     .data = {{"wants", "password"}, {"has", "password"}}}));
  return without_value(noted);
}

/// A set cannot be resized: CLUSTER-set is deleted and made again with the size that CLUSTER asks
/// for. By its uid only the set that it has seen is deleted; a missing one is made whatever the
/// reason; a pause lies between both. (rabbitmq cluster-operator #653 and #782)
template <bool by_uid, bool makes_missing, bool pauses>
api::Result<void> resize(const std::string& key, ReconcileContext& context) {
  const api::ObjectPtr cluster = context.store->get_by_key(key);
  if (!cluster || value_in(*cluster, "size").empty() || key.ends_with("-set")) {
    return {};
  }
  const std::string size = value_in(*cluster, "size");
  const api::ObjectPtr set = context.store->get_by_key(key + "-set");
  if (set ? value_in(*set, "size") == size : !makes_missing) {
    return {};
  }
  if (const auto gone = set ? remove(context, set, by_uid) : api::Result<void>(); !gone) {
    return gone;
  }
  if (pauses) {
    runtime::sleep_for(context.runtime, kMoment);
  }
  return make(context, {.name = cluster->metadata.name + "-set", .data = {{"size", size}}});
}

}  // namespace

std::vector<ReconcilerEntry> cleanup_reconcilers() {
  return {{"cleanup_by_name",
           "deletes NAME-data when NAME is being deleted, whichever NAME-data there is by then",
           make_from<clean_up<false>>,
           {Verb::Delete}},
          {"cleanup_by_uid",
           "deletes NAME-data when NAME is being deleted, but only the one that it has seen",
           make_from<clean_up<true>>,
           {Verb::Delete}}};
}

std::vector<ReconcilerEntry> operator_reconcilers() {
  return {
      {"pods_from_cache",
       "runs the pods that its store shows on its node, each as POD-on-NODE",
       make_from<run_pods<false>>,
       {Verb::Create}},
      {"pods_after_asking",
       "the same, but asks the server whether it is still the same pod",
       make_from<run_pods<true>>,
       {Verb::Get, Verb::Create}},
      {"members_from_cache",
       "removes the members that exceed what its store's ring asks for",
       make_from<remove_members<false>>,
       {Verb::Delete}},
      {"members_after_asking",
       "the same, but asks the server how many the ring asks for",
       make_from<remove_members<true>>,
       {Verb::Get, Verb::Delete}},
      {"volumes_by_event",
       "removes the volume of a pod when it sees the pod deleted",
       make_from<remove_volume<false>>,
       {Verb::Delete}},
      {"volumes_by_state",
       "removes every volume that does not belong to the existing pod",
       make_from<remove_volume<true>>,
       {Verb::Delete}},
      {"passwords_made_anew",
       "generates a new password until the user's object has one",
       make_from<make_password<false>>,
       {Verb::Create, Verb::Update}},
      {"passwords_adopted",
       "the same, but reuses an existing password",
       make_from<make_password<true>>,
       {Verb::Create, Verb::Update}},
      {"resizes_by_name",
       "deletes a set of the wrong size by name and creates another",
       make_from<resize<false, false, false>>,
       {Verb::Delete, Verb::Create}},
      {"resizes_by_uid",
       "the same, but deletes only the set that it has seen",
       make_from<resize<true, false, false>>,
       {Verb::Delete, Verb::Create}},
      {"remakes_at_once",
       "deletes a set of the wrong size, and creates another a moment later",
       make_from<resize<true, false, true>>,
       {Verb::Delete, Verb::Create}},
      {"remakes_when_missing",
       "the same, but also creates a set when there is none",
       make_from<resize<true, true, true>>,
       {Verb::Delete, Verb::Create}},
  };
}

}  // namespace watchlab::sim
