#pragma once

#include <optional>
#include <string_view>

#include "scenarios/language/document.hpp"

namespace watchlab::scenarios {

/// What somebody who reads a text from above sees in it.
struct SeenMistakes {
  std::optional<Problem> first;       ///< the first thing that looks wrong
  std::optional<Problem> overlooked;  ///< by the parser: see `YamlMistakeFinder::overlooked`
};

/// Reads a text as its author sees it: columns, brackets, quotes and dashes, but none of what they
/// mean. It knows less of YAML than the parser does, so its first mistake only counts in a text
/// that is wrong.
[[nodiscard]] SeenMistakes mistakes_seen(std::string_view text);

}  // namespace watchlab::scenarios
