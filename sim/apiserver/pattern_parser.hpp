#pragma once

#include <string_view>
#include <vector>

#include "sim/apiserver/linear_pattern.hpp"

namespace watchlab::sim {

/// The conditions that an expression can state between two characters.
enum class Assertion : std::int32_t { TextBegins, TextEnds, LineBegins, LineEnds, Word, NoWord };

/// A compiled expression: the program, without its final Match, and the sets that it names.
struct CompiledPattern {
  LinearPattern::Program program;
  std::vector<LinearPattern::Ranges> sets;
};

/// Compiles an expression. Throws a std::runtime_error with the words of Go for a mistake. Mirrors
/// regexp/syntax, Parse with the flags of Perl.
[[nodiscard]] CompiledPattern compiled_pattern(std::string_view pattern);

}  // namespace watchlab::sim
