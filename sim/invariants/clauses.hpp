#pragma once

#include <optional>
#include <string>

#include "sim/story/record.hpp"

/// The contract between the machinery and those who use it, clause by clause, each in a file of its
/// own. A function says in one sentence what is wrong with a record that is closed; nothing when
/// the clause holds. They are pure, and any task may call them.
namespace watchlab::sim::invariants {

/// C1: A client hears of the states of an object in the order in which the server had them.
[[nodiscard]] std::optional<std::string> broken_cache_follows_server(const Record& record);
/// C2: A notification speaks of one object; across objects no order is promised, and none is
/// looked at.
[[nodiscard]] std::optional<std::string> broken_objects_do_not_mix(const Record& record);
/// C3: Once everything is quiet and a watch is open, a store holds the newest state of each
/// object.
[[nodiscard]] std::optional<std::string> broken_stores_converge(const Record& record);
/// C4: Once everything is quiet and a watch is open, a store holds nothing that the server has
/// deleted.
[[nodiscard]] std::optional<std::string> broken_deletions_arrive(const Record& record);
/// C5: A list of a store holds each key once, and is what the deltas make when they are applied
/// in order.
[[nodiscard]] std::optional<std::string> broken_store_is_one_snapshot(const Record& record);
/// C6: A handler is told after the store has changed.
[[nodiscard]] std::optional<std::string> broken_store_before_handler(const Record& record);
/// C7: A handler is in one call at a time, and each call of an object goes on from the one
/// before.
[[nodiscard]] std::optional<std::string> broken_calls_are_sequential(const Record& record);
/// C8: What a handler was told, from its first add on, adds up to what the store holds.
[[nodiscard]] std::optional<std::string> broken_handlers_add_up_to_the_store(const Record& record);
/// C9: For a handler a name is added, updated and deleted in turns, whatever the uid is.
[[nodiscard]] std::optional<std::string> broken_names_are_identities(const Record& record);
/// C10: A delete carries an object; a tombstone carries the state that the handler was told last.
[[nodiscard]] std::optional<std::string> broken_deletes_carry_the_last_state(const Record& record);
/// C11: Each delta becomes one call of each handler, in the same order, however slow the handler
/// is.
[[nodiscard]] std::optional<std::string> broken_slow_handlers_lose_nothing(const Record& record);
/// C12: What is of the first list comes before everything else, and a quiet client has synced.
[[nodiscard]] std::optional<std::string> broken_first_list_comes_first(const Record& record);
/// C13: A request names no revision that the server never had, and a watch goes back behind no
/// earlier one.
[[nodiscard]] std::optional<std::string> broken_revisions_are_the_servers(const Record& record);
/// C14: When a client has ended, so have all the watches that it started.
[[nodiscard]] std::optional<std::string> broken_watches_are_stopped(const Record& record);
/// C15: Once everything is quiet no request waits for an answer. (Tasks that wait for ever are
/// found by the world itself.)
[[nodiscard]] std::optional<std::string> broken_nobody_waits_for_ever(const Record& record);
/// C16: A key of a work queue is with at most one worker at a time.
[[nodiscard]] std::optional<std::string> broken_one_worker_a_key(const Record& record);
/// C17: A key that was added to a work queue is taken by a worker after that, once everything is
/// quiet.
[[nodiscard]] std::optional<std::string> broken_dirty_keys_are_processed(const Record& record);

}  // namespace watchlab::sim::invariants
