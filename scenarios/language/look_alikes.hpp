#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "scenarios/language/document.hpp"

namespace watchlab::scenarios {

/// A character that looks like one of YAML's and is another.
struct LookAlike {
  std::string_view bytes;
  std::string_view what;
  std::string_view expected;
  bool in_texts;  ///< inside a text it is as good as any other character
};
[[nodiscard]] std::span<const LookAlike> look_alikes();

inline constexpr std::string_view kByteOrderMark = "\ufeff";

/// What is wrong with a text that begins with a typographic quote, a space that is none, or a
/// bracket of another alphabet. Nothing for all else.
[[nodiscard]] std::optional<Problem> look_alike_at(std::string_view rest, Place place);

}  // namespace watchlab::scenarios
