#pragma once

#include <string>
#include <string_view>

namespace watchlab::sim {

/// A text as a string of the DOT language. Lines end with `\n`, or with `\l` to stand to the left.
[[nodiscard]] inline std::string dot_quoted(std::string_view text, bool to_the_left = false) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '\n') {
      quoted += to_the_left ? "\\l" : "\\n";
      continue;
    }
    if (letter == '"' || letter == '\\') {
      quoted += '\\';
    }
    quoted += letter;
  }
  return quoted + (to_the_left ? "\\l\"" : "\"");
}

}  // namespace watchlab::sim
