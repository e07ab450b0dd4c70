#pragma once

#include <string>

namespace watchlab::scenarios {

/// A line of what a violation says, in its parts.
struct BrokenClause {
  std::string clause;  ///< "C4 deletions_arrive"; "" when the line names none
  std::string words;   ///< the rest, which begins with who broke it; without a clause all of it
};

/// Of "story_7:1: C4 deletions_arrive: the store of one holds default/apple" the clause and the
/// rest; the place is in neither.
[[nodiscard]] BrokenClause broken_clause_in(const std::string& line);

}  // namespace watchlab::scenarios
