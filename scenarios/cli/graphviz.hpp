#pragma once

#include <string>

namespace watchlab::scenarios {

/// Renders a graph in the DOT language as SVG, in this process, with the layout engine of that
/// name. Throws `std::runtime_error` when Graphviz refuses.
[[nodiscard]] std::string svg_from_dot(const std::string& dot, const std::string& layout);

}  // namespace watchlab::scenarios
