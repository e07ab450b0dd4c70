#pragma once

#include "tests/sim/explore/enumeration.hpp"

namespace watchlab::sim {

// Small programs whose numbers of classes are known. None waits for its tasks: the root only starts
// them, so that they alone make the decisions. Each fills the outcome that it is given.

/// `tasks` tasks, each `sections` times lock and unlock of one mutex.
[[nodiscard]] Program critical_sections(Outcome& outcome, int tasks, int sections);
/// Two tasks, two locks, two orders.
[[nodiscard]] Program two_locks_in_two_orders(Outcome& outcome);
/// Philosophers round a table, each left fork first.
[[nodiscard]] Program philosophers(Outcome& outcome, int seats);
/// One atomic write, and a read by each of `readers`.
[[nodiscard]] Program readers(Outcome& outcome, int readers);
/// Two tasks that read under a lock and write under it later.
[[nodiscard]] Program lost_update(Outcome& outcome);
/// Tasks that share nothing.
[[nodiscard]] Program disjoint_locks(Outcome& outcome, int tasks);
/// Waiters that wait once without asking; lock and unlock, then a broadcast outside of the lock.
[[nodiscard]] Program broadcast(Outcome& outcome, int waiters);
/// Tasks that send two values each, and tasks that receive them, over a channel with a buffer.
[[nodiscard]] Program pipeline(Outcome& outcome, int capacity, int senders, int receivers);
/// Each of `writers` sets its cell to one more than it finds in the cell before; one task looks for
/// the last cell that is zero. The usual example on which source sets abandon runs.
[[nodiscard]] Program last_zero(Outcome& outcome, int writers);
/// A chain of tasks, each of which writes to the next cell if it finds its own untouched.
[[nodiscard]] Program dominoes(Outcome& outcome, int tasks);
/// A mutex between two tasks and a channel between two.
[[nodiscard]] Program mutex_and_channel(Outcome& outcome);
/// Ten tasks, each of which takes at once the three locks on the edges at its node.
[[nodiscard]] Program petersen_graph(Outcome& outcome);

}  // namespace watchlab::sim
