#pragma once

#include <string>

#include "sim/kernel/run_result.hpp"
#include "sim/trace/canvas.hpp"

namespace watchlab::sim {

/// Who did what, when: a column for the servers, for each client and for what each client's handler
/// or program says; time goes down, not to scale. An arrow is a message; a red one that ends
/// halfway was lost, a grey one had not arrived. Bookmarks are left out, and so is what comes after
/// the end of the story. The run must have been recorded.
///
/// The result is a graph in the DOT language in which every node has its position (layout `nop`).
[[nodiscard]] std::string spacetime_dot(const RunResult& run, const Heading& heading);

}  // namespace watchlab::sim
