#pragma once

#include "tests/sim/explore/oracle/program.hpp"

/// What programs are made of; each function is one table.
namespace watchlab::sim::oracle {

[[nodiscard]] WordGroup atomic_words();
[[nodiscard]] WordGroup mixed_words();
[[nodiscard]] WordGroup notified_words();
[[nodiscard]] WordGroup guard_words();
[[nodiscard]] WordGroup mutex_words();
[[nodiscard]] WordGroup timed_mutex_words();
[[nodiscard]] WordGroup recursive_words();
[[nodiscard]] WordGroup shared_mutex_words();
[[nodiscard]] WordGroup semaphore_words();
[[nodiscard]] WordGroup timed_semaphore_words();
[[nodiscard]] WordGroup latch_words();
[[nodiscard]] WordGroup barrier_words();
[[nodiscard]] WordGroup condition_words();
[[nodiscard]] WordGroup future_words();
[[nodiscard]] WordGroup stop_words();
[[nodiscard]] WordGroup thread_words();
[[nodiscard]] WordGroup misuse_words();

/// Words of core.
[[nodiscard]] WordGroup cell_words();
[[nodiscard]] WordGroup lock_words();
[[nodiscard]] WordGroup table_words();
[[nodiscard]] WordGroup signal_words();
[[nodiscard]] WordGroup channel_words();
[[nodiscard]] WordGroup select_words();
[[nodiscard]] WordGroup timer_words();
[[nodiscard]] WordGroup group_words();
[[nodiscard]] WordGroup task_words();
[[nodiscard]] WordGroup failing_words();

}  // namespace watchlab::sim::oracle
