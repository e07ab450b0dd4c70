#pragma once

#include <optional>
#include <string>

#include "scenarios/language/document.hpp"

namespace watchlab::scenarios {

/// Ends a parse at once: what follows could cost more than the whole file is worth.
struct RefusedTree {
  Problem problem;
  bool may_follow_a_mistake = false;  ///< that a reader sees before it
};

/// The tree of a text, built from the parser's events, so that nothing is built that is refused;
/// nothing for a text without a document. Throws `RefusedTree`, and the parser's own exceptions.
[[nodiscard]] std::optional<Node> yaml_tree(const std::string& text, Problems& problems);

}  // namespace watchlab::scenarios
