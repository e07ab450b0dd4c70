#include <fmt/format.h>

#include <map>
#include <set>

#include "sim/invariants/families.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

Finding check_objects_do_not_mix(const Record& record) {
  for (const CallRecord& call : record.calls) {
    for (const api::ObjectPtr& object : {call.object, call.before}) {
      if (object && api::key_of(object->metadata) != call.key) {
        return fmt::format("the {} of {} to {} carries {}", to_string(call.type), call.key,
                           call.handler, api::key_of(object->metadata));
      }
    }
  }
  for (const DeltaRecord& delta : record.deltas) {
    if (delta.object && api::key_of(delta.object->metadata) != delta.key) {
      return fmt::format("{} of {} in the queue of {} carries {}", to_string(delta.type), delta.key,
                         delta.client, api::key_of(delta.object->metadata));
    }
  }
  return std::nullopt;
}

/// A handler of a shared informer is notified from a buffer, and the store may be newer by then;
/// the others are notified before the store can change again.
bool is_notified_in_time(const Record& record, const CallRecord& call) {
  const std::string revision = revision_of(call.object);
  const ClientRecord* client = client_named(record, call.client);
  if (client == nullptr || client->keeps_deltas) {
    return call.cached == (call.type == CallType::Delete ? "" : revision);
  }
  return call.cached.empty() || is_earlier(revision, call.cached) ||
         (call.type != CallType::Delete && call.cached == revision);
}

Finding check_store_before_handler(const Record& record) {
  for (const CallRecord& call : record.calls) {
    if (!is_notified_in_time(record, call)) {
      return fmt::format("{} receives the {} of {} while the store holds {}", call.handler,
                         to_string(call.type), describe_state(call),
                         call.cached.empty() ? "nothing" : call.cached);
    }
  }
  return std::nullopt;
}

/// The calls of those of the client's handlers that were called and have not left.
std::map<std::string, Calls> calls_of_those_there(const Record& record, const std::string& client) {
  std::map<std::string, Calls> there;
  for (const auto& [handler, calls] : calls_by_handler(record)) {
    if (handler.first == client && !has_left(record, handler)) {
      there[handler.second] = calls;
    }
  }
  return there;
}

Finding check_handlers_add_up_to_the_store(const Record& record) {
  for (const ClientRecord* client : clients_at_rest(record)) {
    for (const auto& [handler, calls] : calls_of_those_there(record, client->name)) {
      if (const auto difference =
              first_difference(known_after(calls), stored_by(record, client->name))) {
        return fmt::format("what {} received is not what the store of {} holds: {}", handler,
                           client->name, *difference);
      }
    }
  }
  return std::nullopt;
}

Finding check_notifications_fold_to_the_store(const Record& record) {
  for (const ClientRecord* client : clients_at_rest(record)) {
    for (const std::string& handler : client->handlers) {
      const Revisions known = known_after(calls_of(record, {client->name, handler}));
      if (const auto difference = first_difference(known, stored_by(record, client->name))) {
        return fmt::format("{} received something else than the store of {} holds: {}", handler,
                           client->name, *difference);
      }
    }
  }
  return std::nullopt;
}

Finding check_names_are_identities(const Record& record) {
  for (const auto& [handler, calls] : calls_by_handler(record)) {
    std::set<std::string> known;
    for (const CallRecord* call : calls) {
      const bool is_new = !known.contains(call->key);
      if (is_new != (call->type == CallType::Add)) {
        return fmt::format("{} receives the {} of {}, which {}", handler.second,
                           to_string(call->type), call->key,
                           is_new ? "was never added" : "is there already");
      }
      if (call->type == CallType::Delete) {
        known.erase(call->key);
      } else {
        known.insert(call->key);
      }
    }
  }
  return std::nullopt;
}

Finding check_deletes_carry_the_last_state(const Record& record) {
  for (const auto& [handler, calls] : calls_by_handler(record)) {
    Revisions delivered;
    for (const CallRecord* call : calls) {
      if (call->type == CallType::Delete && !call->object) {
        return fmt::format("{} receives the delete of {} without an object", handler.second,
                           call->key);
      }
      std::string& last = delivered[call->key];
      if (call->tombstone && revision_of(call->object) != last) {
        return fmt::format("the tombstone for {} carries {} although it received {} last",
                           handler.second, describe_state(*call), last);
      }
      last = revision_of(call->object);
    }
  }
  return std::nullopt;
}

Finding check_handlers_never_go_back(const Record& record) {
  for (const auto& [handler, calls] : calls_by_handler(record)) {
    Revisions last;  // by key and uid
    for (const CallRecord* call : calls) {
      const std::string uid = call->object ? call->object->metadata.uid : "";
      std::string& before = last[call->key + " " + uid];
      if (is_earlier(revision_of(call->object), before)) {
        return fmt::format("{} receives the {} of {} after {} of the same object", handler.second,
                           to_string(call->type), describe_state(*call), before);
      }
      before = revision_of(call->object);
    }
  }
  return std::nullopt;
}

/// What the workers of a client saw last of each key that they had; "" for nothing.
Revisions worked_last(const Record& record, const std::string& client) {
  Revisions seen;
  for (const WorkRecord* work : entries_of(record.work, client)) {
    if (work->type == WorkType::Done) {
      seen[work->key] = work->revision;
    }
  }
  return seen;
}

/// The truth about these keys alone: a controller may reconcile owners and not what they own.
Revisions truth_about(const Revisions& keys, const Revisions& truth) {
  Revisions about;
  for (const auto& [key, revision] : keys) {
    const auto found = truth.find(key);
    about[key] = found == truth.end() ? "" : found->second;
  }
  return about;
}

Finding check_final_states_arrive(const Record& record) {
  for (const ClientRecord* client : informed_clients(record)) {
    const Revisions truth = truth_for(record, *client);
    const Revisions seen = client->workers ? worked_last(record, client->name) : Revisions();
    if (const auto difference = first_difference(seen, truth_about(seen, truth))) {
      return fmt::format("what the workers of {} saw last is not the truth: {}", client->name,
                         *difference);
    }
    for (const auto& [handler, calls] : calls_of_those_there(record, client->name)) {
      if (const auto missed = first_difference(known_after(calls), truth)) {
        return fmt::format("what {} received last is not the truth: {}", handler, *missed);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Invariant> of_handlers() {
  return {
      {.clause = "C2",
       .name = "objects_do_not_mix",
       .doc = "A notification is about one object. No order across objects is promised or checked.",
       .check = check_objects_do_not_mix,
       .needs_legal_world = true},
      {.clause = "C6",
       .name = "store_before_handler",
       .doc = "A handler is called only after the store has changed.",
       .check = check_store_before_handler},
      {.clause = "C8",
       .name = "handlers_add_up_to_the_store",
       .doc = "All calls to a handler, from its first add on, add up to the contents of the store.",
       .check = check_handlers_add_up_to_the_store},
      {.clause = "C9",
       .name = "names_are_identities",
       .doc = "A handler sees each name added, updated and deleted in turn, whatever its uid.",
       .check = check_names_are_identities},
      {.clause = "C10",
       .name = "deletes_carry_the_last_state",
       .doc = "A delete carries an object; a tombstone carries the last state that the handler "
              "received.",
       .check = check_deletes_carry_the_last_state},
      {.clause = "I2",
       .name = "notifications_fold_to_the_store",
       .doc = "Once everything is quiet, the notifications of each handler since it joined add up "
              "to the contents of the store, even if there were none.",
       .check = check_notifications_fold_to_the_store,
       .extends = {"handlers_add_up_to_the_store", "names_are_identities"}},
      {.clause = "I3",
       .name = "handlers_never_go_back",
       .doc = "A handler never gets an older revision of an object (by uid) after a newer one.",
       .check = check_handlers_never_go_back,
       .suspended_by = bugs_that_confuse_revisions(),
       .extends = {"calls_are_sequential", "cache_follows_server"}},
      {.clause = "I4",
       .name = "final_states_arrive",
       .doc = "Once everything is quiet, every handler and every worker has received the last "
              "state of each object.",
       .check = check_final_states_arrive,
       .suspended_by = bugs_that_hide_the_truth(),
       .extends = {"stores_converge", "deletions_arrive", "handlers_add_up_to_the_store"}},
  };
}

}  // namespace watchlab::sim::invariants
