#include "sim/invariants/invariant_catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/invariants/clauses.hpp"

namespace watchlab::sim {

namespace {

std::vector<Invariant> clause_catalogue() {
  return {
      {"C1", "cache_follows_server",
       "A client hears of the states of an object in the order in which the server"
       " had them.",
       true, invariants::broken_cache_follows_server},
      {"C2", "objects_do_not_mix",
       "A notification speaks of one object; across objects no order is promised, "
       "and none is looked at.",
       true, invariants::broken_objects_do_not_mix},
      {"C3", "stores_converge",
       "Once everything is quiet and a watch is open, a store holds the newest "
       "state of each object.",
       true, invariants::broken_stores_converge},
      {"C4", "deletions_arrive",
       "Once everything is quiet and a watch is open, a store holds nothing that "
       "the server has deleted.",
       true, invariants::broken_deletions_arrive},
      {"C5", "store_is_one_snapshot",
       "A list of a store holds each key once, and is what the deltas make when "
       "they are applied in order.",
       false, invariants::broken_store_is_one_snapshot},
      {"C6", "store_before_handler", "A handler is told after the store has changed.", false,
       invariants::broken_store_before_handler},
      {"C7", "calls_are_sequential",
       "A handler is in one call at a time, and each call of an object goes on "
       "from the one before.",
       true, invariants::broken_calls_are_sequential},
      {"C8", "handlers_add_up_to_the_store",
       "What a handler was told, from its first add on, adds up to what the store "
       "holds.",
       false, invariants::broken_handlers_add_up_to_the_store},
      {"C9", "names_are_identities",
       "For a handler a name is added, updated and deleted in turns, whatever the "
       "uid is.",
       false, invariants::broken_names_are_identities},
      {"C10", "deletes_carry_the_last_state",
       "A delete carries an object; a tombstone carries the state that the handler"
       " was told last.",
       false, invariants::broken_deletes_carry_the_last_state},
      {"C11", "slow_handlers_lose_nothing",
       "Each delta becomes one call of each handler, in the same order, however "
       "slow the handler is.",
       false, invariants::broken_slow_handlers_lose_nothing},
      {"C12", "first_list_comes_first",
       "What is of the first list comes before everything else, and a quiet client"
       " has synced.",
       false, invariants::broken_first_list_comes_first},
      {"C13", "revisions_are_the_servers",
       "A request names no revision that the server never had, and a watch goes "
       "back behind no earlier one.",
       true, invariants::broken_revisions_are_the_servers},
      {"C14", "watches_are_stopped",
       "When a client has ended, so have all the watches that it started.", false,
       invariants::broken_watches_are_stopped},
      {"C15", "nobody_waits_for_ever",
       "Once everything is quiet no request waits for an answer. (Tasks that wait "
       "for ever are found by the world itself.)",
       false, invariants::broken_nobody_waits_for_ever},
      {"C16", "one_worker_a_key", "A key of a work queue is with at most one worker at a time.",
       false, invariants::broken_one_worker_a_key},
      {"C17", "dirty_keys_are_processed",
       "A key that was added to a work queue is taken by a worker after that, once"
       " everything is quiet.",
       false, invariants::broken_dirty_keys_are_processed},
  };
}

bool is_suspended(const Invariant& invariant, const Record& record) {
  return std::any_of(record.faults.begin(), record.faults.end(), [&](const FaultRecord& fault) {
    return (invariant.needs_legal_world && !fault.legal) ||
           std::find(invariant.suspended_by.begin(), invariant.suspended_by.end(), fault.name) !=
               invariant.suspended_by.end();
  });
}

}  // namespace

std::vector<Invariant> invariant_catalogue() {
  std::vector<Invariant> all = clause_catalogue();
  for (const auto& more : {property_catalogue(), watch_guarantee_catalogue()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

std::vector<std::string> broken_invariants(const Record& record, std::span<const Waiver> waived) {
  std::vector<std::string> sentences;
  std::vector<std::string_view> out;  // waived or broken
  const auto is_out = [&](std::string_view name) {
    return std::find(out.begin(), out.end(), name) != out.end();
  };
  for (const Invariant& invariant : invariant_catalogue()) {
    if (std::any_of(invariant.extends.begin(), invariant.extends.end(), is_out)) {
      continue;
    }
    const bool is_waived = std::any_of(waived.begin(), waived.end(), [&](const Waiver& waiver) {
      return waiver.invariant == invariant.name;
    });
    if (is_waived) {
      out.push_back(invariant.name);
    }
    if (is_waived || is_suspended(invariant, record)) {
      continue;
    }
    if (const std::optional<std::string> sentence = invariant.broken(record)) {
      out.push_back(invariant.name);
      sentences.push_back(fmt::format("{} {}: {}", invariant.clause, invariant.name, *sentence));
    }
  }
  return sentences;
}

}  // namespace watchlab::sim
