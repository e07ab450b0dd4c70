#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/explain/witness.hpp"

namespace watchlab::sim {

/// "locks", "notifies all of", "takes back": what a task does, before an object's name.
[[nodiscard]] std::string does(OperationKind kind);

/// "locks mutex 'queue' (queue.cpp:12)".
[[nodiscard]] std::string deed(const WitnessedOperation& operation);
/// "main/one locks mutex 'queue' (queue.cpp:12)".
[[nodiscard]] std::string describe(const Witness& witness, const WitnessedOperation& operation);
/// "lock 'queue' (queue.cpp:12)": short, for a column.
[[nodiscard]] std::string short_deed(const WitnessedOperation& operation);

/// A text for people: source files without their folders, tasks by the names they were given.
[[nodiscard]] std::string with_short_places(std::string_view text);
/// Why a task waits, of a run that continues: without what is only so once no task can continue,
/// that none is left that would help.
[[nodiscard]] std::string_view while_it_continues(std::string_view because);
/// "a", "a and b", "a, b and c".
[[nodiscard]] std::string listed(const std::vector<std::string>& names);
/// `count` and the noun, with an s unless it is one.
[[nodiscard]] std::string counted(std::size_t count, std::string_view noun);

struct ColumnsOptions {
  std::size_t rows_max = 40;    ///< the last ones
  std::size_t last_step = 0;    ///< no row is about a later one; 0 for all
  bool toolkit = true;          ///< also what the world does to play and to record a story
  std::size_t lanes_max = 4;    ///< columns; with more tasks, one row names its task instead
  std::size_t lane_width = 36;  ///< where a longer name heads a column, each has a line of its own
};

/// A run as a table: a column for each task, a row for each step, and between two rows why another
/// task continues. Steps that repeat are one row, and rows that come again and again stand there
/// once. When there are more tasks than columns, the rows stand under each other, with the task's
/// name in front.
[[nodiscard]] std::string columns_text(const Witness& witness, const ColumnsOptions& options);

/// Why another task continues in that step, as a sentence; "" where the same one does.
[[nodiscard]] std::string handover_text(const Witness& witness, const WitnessedStep& step);

}  // namespace watchlab::sim
