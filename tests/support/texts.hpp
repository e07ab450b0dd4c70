#pragma once

#include <cstddef>
#include <string_view>

namespace watchlab::tests {

inline bool says(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// How often that part is in the text.
inline std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) {
    ++found;
  }
  return found;
}

}  // namespace watchlab::tests
