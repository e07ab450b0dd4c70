#pragma once

#include <string>

namespace watchlab::scenarios {

/// A graph in the DOT language, and the engine that lays it out.
struct Graph {
  std::string dot;
  std::string layout;
};

/// Renders the graph in this process, as "svg", "png", "pdf" or "dot" (the bytes of such a file).
/// Throws `std::runtime_error` when Graphviz refuses.
[[nodiscard]] std::string render(const Graph& graph, const std::string& format);

}  // namespace watchlab::scenarios
