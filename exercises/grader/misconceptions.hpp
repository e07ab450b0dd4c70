#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/grader/grade_tests.hpp"
#include "exercises/programs/exercise.hpp"

namespace watchlab::course {

/// A wrong belief about the library under test, and how it shows in a test that fails with a right
/// one: a row of an exercise's misconceptions.yaml.
struct Misconception {
  std::string clause;  ///< of subject.hpp or of docs/invariants.md, that says otherwise
  std::string code;   ///< what stands in the test, pieces in their order with `…` between; "" any
  std::string fails;  ///< the same of how it fails
  bool illegal = false;  ///< only where it injects a fault that is illegal by docs/faults.md
  std::string say;       ///< what is promised instead
};

/// The rows of an exercise; none where it has no such file. Throws `BadInput`.
[[nodiscard]] std::vector<Misconception> read_misconceptions(const Exercise& exercise);

/// Whether the pieces of a pattern, between `…`, stand in a text one after the other. Blanks and
/// ends of lines count nothing. Takes time that is proportional to the text, whatever it is.
[[nodiscard]] bool has_pieces(std::string_view text, std::string_view pattern);

/// The text of a test within a file: from its name to the next test. "" when it is not there.
[[nodiscard]] std::string test_in(const std::string& source, const std::string& name);

/// The first row that a failing test shows; null when none does.
[[nodiscard]] const Misconception* find_misconception(const std::vector<Misconception>& rows,
                                                      const std::string& test,
                                                      const std::string& failure);

/// For each test that expects what is not promised, says what it used wrongly, or which row it
/// shows.
void name_misconceptions(SuiteRuns& suite, const Exercise& exercise, const std::string& source);

}  // namespace watchlab::course
