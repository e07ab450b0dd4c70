#pragma once

#include <optional>
#include <string>

#include "scenarios/language/document.hpp"

namespace watchlab::scenarios {

/// What is wrong with a text that the parser gave up on, in words for its author. The parser's own
/// message names the place at which it noticed; this looks for the mistake that a reader would
/// point at: a bracket or quote that is not closed, a tab, a line that is indented by too much.
/// `message` is the parser's; it is what is left to say when nothing else is found.
[[nodiscard]] Problem yaml_mistake(const std::string& text, Place gave_up,
                                   const std::string& message);

/// What looks wrong up to that place, where the parser has seen the end of a document in a text
/// that has one only; nothing when nothing does.
[[nodiscard]] std::optional<Problem> mistake_before(const std::string& text, Place place);

/// What the parser takes although it is no YAML: a quote that is never closed, for one that ends
/// with the file, and a comment without a space before its '#'.
[[nodiscard]] std::optional<Problem> overlooked_mistake(const std::string& text);

/// What is wrong with a text without quotes that YAML takes as it stands: it begins with a
/// typographic quote, a space that is none, or a bracket of another alphabet, or it is one word
/// that ends with such a quote. Nothing for all else.
[[nodiscard]] std::optional<Problem> mistaken_ends(const std::string& text, Place place);

}  // namespace watchlab::scenarios
