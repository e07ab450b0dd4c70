#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::course {

/// A source with one small thing changed, as a machine changes it.
struct Mutation {
  std::size_t line = 0;  ///< the number of the changed one
  std::string what;      ///< "x < y -> x <= y", the line before and after
  std::string text;      ///< the whole source with it
};

/// All of them, in the order of lines: comparisons, conditions, signs and constants turned round, a
/// loop that looks once, a wake-up for one task, and a statement left out, such as a lock. What is
/// no statement of a function (includes, comments, declarations) stays. Whether they compile, or
/// change what the source does, is not known.
[[nodiscard]] std::vector<Mutation> mutations_of(std::string_view source);

}  // namespace watchlab::course
