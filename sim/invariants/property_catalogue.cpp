#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/invariants/properties.hpp"
#include "sim/invariants/server_bugs.hpp"

namespace watchlab::sim {
namespace {

using Names = std::vector<std::string_view>;

/// Bugs of servers that take the truth from a client for good.
Names lying() {
  return {"bookmark_ahead",      "drop_event",   "empty_event",    "empty_list",
          "empty_list_revision", "replay_event", "restore_backup", "revision_back",
          "stale_delete",        "wrong_kind"};
}

/// Bugs of servers that change what an object says.
Names mistyping() { return {"wrong_kind"}; }

/// What clients know and tell.
std::vector<Invariant> properties_of_knowledge() {
  return {
      {"I1",
       "healed_worlds_converge",
       "Once everything is healed and quiet, each running client has an open "
       "watch and a store that equals the server.",
       false,
       invariants::broken_healed_worlds_converge,
       lying(),
       {"stores_converge", "deletions_arrive"}},
      {"I2",
       "notifications_fold_to_the_store",
       "Once everything is quiet, what each handler was told since it joined "
       "folds to what the store holds, also for those who were told nothing.",
       false,
       invariants::broken_notifications_fold_to_the_store,
       {},
       {"handlers_add_up_to_the_store", "names_are_identities"}},
      {"I3",
       "handlers_never_go_back",
       "Of one object, by its uid, a handler never hears an older revision "
       "after a newer one.",
       false,
       invariants::broken_handlers_never_go_back,
       bugs_that_confuse_revisions(),
       {"calls_are_sequential", "cache_follows_server"}},
      {"I4",
       "final_states_arrive",
       "Once everything is quiet, the last state of each object has reached "
       "every handler and every worker.",
       false,
       invariants::broken_final_states_arrive,
       lying(),
       {"stores_converge", "deletions_arrive", "handlers_add_up_to_the_store"}},
      {"I5", "synced_means_told",
       "Who has synced has a list, and hears nothing more of that first list.", false,
       invariants::broken_synced_means_told},
      {"I6",
       "syncing_ends",
       "Once everything is quiet, who has an open watch has synced.",
       false,
       invariants::broken_syncing_ends,
       {},
       {"first_list_comes_first"}},
      {"I23",
       "arrivals_are_told",
       "Once everything is quiet, each change that has arrived on a watch was "
       "told by its own, to every handler that was there.",
       true,
       invariants::broken_arrivals_are_told,
       {},
       {"cache_follows_server", "stores_converge", "deletions_arrive", "slow_handlers_lose_nothing",
        "handlers_add_up_to_the_store", "names_are_identities"}},
      {"I24",
       "first_list_is_marked",
       "What is of a client's first list is told as of the first list.",
       true,
       invariants::broken_first_list_is_marked,
       {},
       {"first_list_comes_first", "names_are_identities"}},
  };
}

/// How clients begin, ask and end.
std::vector<Invariant> properties_of_conduct() {
  return {
      {"I7", "ends_come_soon",
       "Clients that are told to end have ended within ten seconds, and as "
       "long as their slowest handler needs for what is queued.",
       false, invariants::broken_ends_come_soon},
      {"I8",
       "nothing_is_left_behind",
       "When all clients have ended, no stream is open and no request is "
       "without an answer.",
       false,
       invariants::broken_nothing_is_left_behind,
       {},
       {"watches_are_stopped", "nobody_waits_for_ever"}},
      {"I11", "failures_are_followed_by_a_pause",
       "After a request that failed, and a watch that ended at once without an "
       "event, a client pauses before its next request.",
       false, invariants::broken_failures_are_followed_by_a_pause},
      {"I14", "indices_are_recomputable",
       "An index of a store is what its objects make when it is computed anew.", false,
       invariants::broken_indices_are_recomputable},
      {"I15",
       "requests_never_go_back",
       "A client asks for nothing older than it was told already, save for the "
       "newest state of all.",
       false,
       invariants::broken_requests_never_go_back,
       bugs_that_confuse_revisions(),
       {"revisions_are_the_servers"}},
      {"I16",
       "requests_name_what_was_told",
       "A client asks only for revisions that it was told.",
       false,
       invariants::broken_requests_name_what_was_told,
       bugs_that_confuse_revisions(),
       {"revisions_are_the_servers"}},
      {"I17", "stored_objects_are_unchanged",
       "What a store holds is the object as the server wrote it.", false,
       invariants::broken_stored_objects_are_unchanged, mistyping()},
      {"I18",
       "resyncs_change_nothing",
       "A resync tells again what the consumer knows last, and brings nothing "
       "back.",
       false,
       invariants::broken_resyncs_change_nothing,
       {},
       {"store_is_one_snapshot", "cache_follows_server"}},
      {"I19", "stopped_clients_ask_for_nothing",
       "From the moment after it was told to end, a client sends no request.", false,
       invariants::broken_stopped_clients_ask_for_nothing},
      {"I20", "relists_have_a_reason",
       "A watch that ended in an orderly way, or could not be opened because "
       "the server was busy or away, is followed by a watch and not by a list.",
       false, invariants::broken_relists_have_a_reason},
      {"I21", "handlers_that_left_are_left_alone",
       "A handler that has left hears of nothing that was written later.", false,
       invariants::broken_handlers_that_left_are_left_alone},
      {"I22",
       "handlers_hear_in_one_order",
       "All handlers of a client hear the same changes in the same order.",
       false,
       invariants::broken_handlers_hear_in_one_order,
       {},
       {"slow_handlers_lose_nothing"}},
  };
}

/// What comes out of queues of newest states and of indices.
std::vector<Invariant> properties_of_parts() {
  return {
      {"I25", "queues_pop_the_newest",
       "A queue of newest states gives nothing that is older than what it was told, and in the end "
       "the newest of all.",
       true, invariants::broken_queues_pop_the_newest},
      {"I26", "queues_keep_their_order",
       "Keys leave a queue of newest states in the order in which they came.", true,
       invariants::broken_queues_keep_their_order},
      {"I27", "queues_sync_after_the_pops",
       "A queue of newest states has not synced before all of its first list was popped.", true,
       invariants::broken_queues_sync_after_the_pops},
      {"I28", "indices_answer_truly",
       "Whoever asks an index is given objects that have what was asked for, each once.", false,
       invariants::broken_indices_answer_truly},
      {"I34",
       "shutdowns_leave_no_key",
       "A key that waits when its queue is shut down is taken all the same.",
       false,
       invariants::broken_shutdowns_leave_no_key,
       {},
       {"dirty_keys_are_processed"}},
  };
}

/// What is done again.
std::vector<Invariant> properties_of_repetition() {
  return {
      {"I29", "resyncs_reach_who_asked",
       "A resync is told to handlers that asked for it, and to none more often than it asked.",
       true, invariants::broken_resyncs_reach_who_asked},
      {"I30", "resyncs_come",
       "Who has asked for resyncs is told each object of the store again and again.", false,
       invariants::broken_resyncs_come},
      {"I31", "failures_are_tried_again",
       "What a consumer has failed at and put back is tried again, once everything is quiet.",
       false, invariants::broken_failures_are_tried_again},
      {"I32", "newest_lists_have_a_reason",
       "A list asks for the newest state of all after the server has refused a revision, until a "
       "list has come, and else never.",
       true, invariants::broken_newest_lists_have_a_reason},
      {"I33", "panics_are_followed_by_a_pause",
       "A handler that has panicked is left alone for a second.", false,
       invariants::broken_panics_are_followed_by_a_pause},
  };
}

}  // namespace

std::vector<Invariant> property_catalogue() {
  std::vector<Invariant> all = properties_of_knowledge();
  for (const auto& more :
       {properties_of_conduct(), properties_of_parts(), properties_of_repetition()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace watchlab::sim
