#pragma once

#include <cstddef>
#include <string>

#include "sim/explain/witness.hpp"

namespace watchlab::sim {

struct ColumnsOptions {
  std::size_t rows_max = 40;    ///< the last ones
  std::size_t lanes_max = 4;    ///< columns; with more tasks, one row names its task instead
  std::size_t lane_width = 36;  ///< where a longer name heads a column, each has a line of its own
};

/// A run as a table: a column for each task, a row for each step, and between two rows why another
/// task goes on. Steps that repeat are one row, and rows that come again and again stand there
/// once. When there are more tasks than columns, the rows stand under each other, with the task's
/// name in front.
[[nodiscard]] std::string columns_text(const Witness& witness, const ColumnsOptions& options);

/// Why another task goes on in that step, as a sentence; "" where the same one does.
[[nodiscard]] std::string handover_text(const Witness& witness, const WitnessedStep& step);

}  // namespace watchlab::sim
