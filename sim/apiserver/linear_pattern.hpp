#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::sim {

/// A regular expression in the syntax of Go's regexp, of which schemas are written. Matching takes
/// time in proportion to the text, whatever the expression: all its threads advance together
/// (Thompson 1968), and nothing goes back.
///
/// Differs from Go: classes of Unicode (`\pL`), and letters beyond ASCII under `(?i)`, are
/// mistakes; so are groups more than 200 deep.
class LinearPattern {
 public:
  /// Reads it. Compiles to at most a million instructions; what needs more is a mistake.
  explicit LinearPattern(std::string_view pattern);

  /// Why it is no regular expression, in the words of Go; "" when it is one.
  [[nodiscard]] const std::string& mistake() const { return mistake_; }
  /// In instructions: what each character of a text may cost.
  [[nodiscard]] std::size_t size() const { return program_.size(); }
  /// Whether it matches some part of the text. Takes from `steps` what that costs; nothing when
  /// they do not suffice.
  [[nodiscard]] std::optional<bool> is_found_in(std::string_view text, std::size_t& steps) const;

  /// Characters, from the first to the last of each range; sorted, apart from each other.
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  using Ranges = std::vector<Range>;

  enum class Operation : std::uint8_t {
    Character,  ///< one of the set `operand`
    Split,      ///< goes on behind it, and at `operand` from here
    Jump,       ///< to `operand` from here
    Assertion,  ///< a condition between two characters
    Match,
  };
  struct Instruction {
    Operation operation = Operation::Match;
    std::int32_t operand = 0;
  };
  using Program = std::vector<Instruction>;

 private:
  std::string mistake_;
  std::vector<Ranges> sets_;
  Program program_;
};

}  // namespace watchlab::sim
