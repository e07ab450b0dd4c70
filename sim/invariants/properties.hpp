#pragma once

#include <optional>
#include <string>

#include "sim/story/record.hpp"

/// What a story must show whatever the order of events was, beyond the contract of `clauses.hpp`.
/// Each function says in one sentence what is wrong with a record that is closed; nothing when the
/// property holds. They are pure, and any task may call them. I9 (no deadlock), I10 (no panic) and
/// I13 (no data race) are what the world itself reports of a run.
namespace watchlab::sim::invariants {

/// I1: Once everything is healed and quiet, each running client has an open watch and a store that
/// equals the server.
[[nodiscard]] std::optional<std::string> broken_healed_worlds_converge(const Record& record);
/// I2: Once everything is quiet, what each handler was told since it joined folds to what the store
/// holds, also for those who were told nothing.
[[nodiscard]] std::optional<std::string> broken_notifications_fold_to_the_store(
    const Record& record);
/// I3: Of one object, by its uid, a handler never hears an older revision after a newer one.
[[nodiscard]] std::optional<std::string> broken_handlers_never_go_back(const Record& record);
/// I4: Once everything is quiet, the last state of each object has reached every handler and every
/// worker.
[[nodiscard]] std::optional<std::string> broken_final_states_arrive(const Record& record);
/// I5: Who has synced has a list, and hears nothing more of that first list.
[[nodiscard]] std::optional<std::string> broken_synced_means_told(const Record& record);
/// I6: Once everything is quiet, who has an open watch has synced.
[[nodiscard]] std::optional<std::string> broken_syncing_ends(const Record& record);
/// I7: Clients that are told to end have ended within ten seconds, and as long as their slowest
/// handler needs for what is queued.
[[nodiscard]] std::optional<std::string> broken_ends_come_soon(const Record& record);
/// I8: When all clients have ended, no stream is open and no request is without an answer.
[[nodiscard]] std::optional<std::string> broken_nothing_is_left_behind(const Record& record);
/// I11: After a request that failed, and a watch that ended at once without an event, a client
/// pauses before its next request.
[[nodiscard]] std::optional<std::string> broken_failures_are_followed_by_a_pause(
    const Record& record);
/// I14: An index of a store is what its objects make when it is computed anew.
[[nodiscard]] std::optional<std::string> broken_indices_are_recomputable(const Record& record);
/// I15: A client asks for nothing older than it was told already, save for the newest state of all.
[[nodiscard]] std::optional<std::string> broken_requests_never_go_back(const Record& record);
/// I16: A client asks only for revisions that it was told.
[[nodiscard]] std::optional<std::string> broken_requests_name_what_was_told(const Record& record);
/// I17: What a store holds is the object as the server wrote it.
[[nodiscard]] std::optional<std::string> broken_stored_objects_are_unchanged(const Record& record);
/// I18: A resync tells again what the consumer knows last, and brings nothing back.
[[nodiscard]] std::optional<std::string> broken_resyncs_change_nothing(const Record& record);
/// I19: From the moment after it was told to end, a client sends no request.
[[nodiscard]] std::optional<std::string> broken_stopped_clients_ask_for_nothing(
    const Record& record);
/// I20: A watch that ended in an orderly way, or could not be opened because the server was busy or
/// away, is followed by a watch and not by a list.
[[nodiscard]] std::optional<std::string> broken_relists_have_a_reason(const Record& record);
/// I21: A handler that has left hears of nothing that was written later.
[[nodiscard]] std::optional<std::string> broken_handlers_that_left_are_left_alone(
    const Record& record);
/// I22: All handlers of a client hear the same changes in the same order.
[[nodiscard]] std::optional<std::string> broken_handlers_hear_in_one_order(const Record& record);
/// I23: Once everything is quiet, each change that has arrived on a watch was told by its own, to
/// every handler that was there.
[[nodiscard]] std::optional<std::string> broken_arrivals_are_told(const Record& record);
/// I24: What is of a client's first list is told as of the first list.
[[nodiscard]] std::optional<std::string> broken_first_list_is_marked(const Record& record);
/// I25: A queue of newest states gives nothing that is older than what it was told, and in the end
/// the newest of all.
[[nodiscard]] std::optional<std::string> broken_queues_pop_the_newest(const Record& record);
/// I26: Keys leave a queue of newest states in the order in which they came.
[[nodiscard]] std::optional<std::string> broken_queues_keep_their_order(const Record& record);
/// I27: A queue of newest states has not synced before all of its first list was popped.
[[nodiscard]] std::optional<std::string> broken_queues_sync_after_the_pops(const Record& record);
/// I28: Whoever asks an index is given objects that have what was asked for, each once.
[[nodiscard]] std::optional<std::string> broken_indices_answer_truly(const Record& record);
/// I29: A resync is told to handlers that asked for it, and to none more often than it asked.
[[nodiscard]] std::optional<std::string> broken_resyncs_reach_who_asked(const Record& record);
/// I30: Who has asked for resyncs is told each object of the store again and again.
[[nodiscard]] std::optional<std::string> broken_resyncs_come(const Record& record);
/// I31: What a consumer has failed at and put back is tried again, once everything is quiet.
[[nodiscard]] std::optional<std::string> broken_failures_are_tried_again(const Record& record);
/// I32: A list asks for the newest state of all after the server has refused a revision, until a
/// list has come, and else never.
[[nodiscard]] std::optional<std::string> broken_newest_lists_have_a_reason(const Record& record);
/// I33: A handler that has panicked is left alone for a second.
[[nodiscard]] std::optional<std::string> broken_panics_are_followed_by_a_pause(
    const Record& record);
/// I34: A key that waits when its queue is shut down is taken all the same.
[[nodiscard]] std::optional<std::string> broken_shutdowns_leave_no_key(const Record& record);

}  // namespace watchlab::sim::invariants
