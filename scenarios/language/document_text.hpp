#pragma once

#include <string>

#include "scenarios/language/document.hpp"

namespace watchlab::scenarios {

/// A document as YAML, from which `parse_document` reads the same tree again, but for the places.
/// Small values stand on one line; comments are not part of a tree.
[[nodiscard]] std::string document_text(const Node& root);

}  // namespace watchlab::scenarios
