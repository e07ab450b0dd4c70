#pragma once

#include <string>

#include "sim/kernel/run_result.hpp"
#include "sim/trace/canvas.hpp"

namespace watchlab::sim {

/// How each change goes through the stations of a client: what is written at the server, what
/// arrives at the client, what is queued, what is popped, what the handlers are told. A lane each,
/// in this order; time goes down, not to scale. A line joins what follows from one another: an item
/// that waits in the queue is a long line, several that are popped at once are lines that meet, and
/// what was missed is a write with no line to it. Bookmarks and what comes after the end of the
/// story are left out. The run must have been recorded.
///
/// The result is a graph in the DOT language in which every node has its position (layout `nop`).
[[nodiscard]] std::string pipeline_dot(const RunResult& run, const Heading& heading);

}  // namespace watchlab::sim
