#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::scenarios {

/// A place in a scenario file; both count from one. Zero means the file as a whole.
struct Place {
  int line = 0;
  int column = 0;

  auto operator<=>(const Place&) const = default;
};

/// One thing that is wrong with a scenario file, in words for its author.
struct Problem {
  Place place;
  std::string what;      ///< "unknown key 'nmae' in a client"
  std::string expected;  ///< "name, kind or machine"; may be empty
  std::string nearest;   ///< the valid name that was probably meant; may be empty

  bool operator==(const Problem&) const = default;
};

/// `file:line:column: what; expected …; did you mean "…"?`, the form that editors can jump to.
[[nodiscard]] std::string sentence_of(const std::string& file, const Problem& problem);

/// Where the readers of a file put what they find wrong. Reading goes on after a problem, so one
/// pass reports several; a reader that cannot go on returns a default value.
class Problems {
 public:
  /// More than this many are not kept: the rest would be noise.
  static constexpr std::size_t kept_max = 20;

  void add(Problem problem);
  [[nodiscard]] bool empty() const { return found_.empty(); }
  /// In the order of the file.
  [[nodiscard]] std::vector<Problem> take();

 private:
  std::vector<Problem> found_;
};

/// The candidate that `word` is probably a misspelling of: the one with the smallest edit distance,
/// if that is at most a third of the word's length, rounded up. "" when there is none.
[[nodiscard]] std::string nearest_name(std::string_view word,
                                       std::span<const std::string> candidates);

/// "a", "a or b", "a, b or c".
[[nodiscard]] std::string one_of(std::span<const std::string> words);

}  // namespace watchlab::scenarios
