#pragma once

/// The programs Chess of SCTBench, written afresh: a queue of work with the THE protocol of Cilk-5
/// (Frigo, Leiserson, Randall, PLDI 1998), of which one thread owns one end and thieves the other.
/// The bug is the one that the published source marks as such: to push, the owner needs one free
/// slot only, though a thief that has moved the head may still have to read the slot behind it.
namespace watchlab::scoreboard::chess {

/// Thieves and a slow end of the queue lock a mutex. One thief.
void mutex_queue();
/// They spin. One thief.
void interlocked_queue();
/// They spin. Two thieves. Without the record of states that the original keeps for another tool.
void interlocked_queue_with_state();
/// The same, but the owner pushes all before it pops.
void state_queue();

}  // namespace watchlab::scoreboard::chess
