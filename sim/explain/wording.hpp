#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/explain/witness.hpp"

namespace watchlab::sim {

/// "locks", "notifies all of", "takes back": what a task does, for use before an object's name.
[[nodiscard]] std::string does(OperationKind kind);

/// "locks mutex 'queue' (queue.cpp:12)".
[[nodiscard]] std::string deed(const WitnessedOperation& operation);
/// "main/one locks mutex 'queue' (queue.cpp:12)".
[[nodiscard]] std::string describe(const Witness& witness, const WitnessedOperation& operation);
/// "lock 'queue' (queue.cpp:12)": short, for a column.
[[nodiscard]] std::string short_deed(const WitnessedOperation& operation);

/// A text for people: source files without folders, tasks with the names that they were given.
[[nodiscard]] std::string with_short_places(std::string_view text);
/// Why a task waits in a run that goes on: without the clause that is true only if no task can
/// continue.
[[nodiscard]] std::string_view while_it_continues(std::string_view because);
/// "a", "a and b", "a, b and c".
[[nodiscard]] std::string listed(const std::vector<std::string>& names);
/// `count` and the noun, with an s unless it is one.
[[nodiscard]] std::string counted(std::size_t count, std::string_view noun);

struct ColumnsOptions {
  std::size_t rows_max = 40;    ///< only the last ones
  std::size_t last_step = 0;    ///< no row is about a later step; 0 for all
  bool toolkit = true;          ///< include what the world does to play and record a story
  std::size_t lanes_max = 4;    ///< columns; with more tasks, rows name their tasks
  std::size_t lane_width = 36;  ///< if a longer name heads a column, each name has its own line
};

/// A run as a table: one column per task, one row per step, and between two rows the reason why
/// another task continues. Repeated steps are one row, and repeated groups of rows appear once. If
/// there are more tasks than columns, rows are listed below each other with the task's name in
/// front.
[[nodiscard]] std::string columns_text(const Witness& witness, const ColumnsOptions& options);

/// Why another task continues in this step, as a sentence; "" if the same one does.
[[nodiscard]] std::string handover_text(const Witness& witness, const WitnessedStep& step);

}  // namespace watchlab::sim
