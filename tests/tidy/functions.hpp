#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// A function that is defined in a source. Positions are those of `Source::code`.
struct Function {
  std::string name;       ///< as written before its parameters: "Store::get", "~Store"
  std::size_t start = 0;  ///< where its head starts
  std::size_t body = 0;   ///< its opening brace
  std::size_t end = 0;    ///< its closing brace
  std::size_t parameters = 0;
  std::size_t levels = 0;  ///< how deep its statements are nested
};

/// Finds the functions by their braces. A reader of layout, no compiler: it relies on the code
/// being laid out by clang-format.
[[nodiscard]] std::vector<Function> functions_of(const Source& source);

}  // namespace watchlab::tidy
