#pragma once

#include <cstddef>
#include <vector>

#include "scenarios/language/document.hpp"

/// What a search for a smaller document takes away, and how that is named. Paths are of one
/// document: where it changes they lead elsewhere, or nowhere.
namespace watchlab::scenarios {

/// Where a node stands in a document: the number of each child on the way down.
using NodePath = std::vector<std::size_t>;

/// How many items or entries a node has.
[[nodiscard]] std::size_t children_of(const Node& node);
/// The child of that number, which must exist.
[[nodiscard]] Node& child_of(Node& node, std::size_t which);
/// The node that a path leads to; null when nothing stands there.
[[nodiscard]] Node* at(Node& root, const NodePath& path);

/// Whether a child of a node heals a fault, or is the name by which one is healed. It goes with the
/// fault and not before.
[[nodiscard]] bool heals(const Node& root, const NodePath& path, std::size_t which);

/// The document without the children of a node from `begin` up to `end`, and without what makes
/// sense only with them: a step of the script keeps its heals as long as their faults are there;
/// the time of a step that goes is given to the next one.
[[nodiscard]] Node without(Node root, const NodePath& path, std::size_t begin, std::size_t end);

}  // namespace watchlab::scenarios
