#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "exercises/grader/grade.hpp"
#include "exercises/programs/exercise.hpp"
#include "scenarios/language/question.hpp"
#include "scenarios/language/values.hpp"

namespace watchlab::course {

/// A question of a predict exercise.
struct Question {
  std::string id;
  std::string ask;
  std::string kind;  ///< number, choice or list
  std::int64_t points = 1;
  std::string scenario;  ///< the story that it is about; "" for none
  api::Labels choices;
  bool measured = false;
  scenarios::Measure measure;
};

/// questions.yaml. Throws `BadInput`.
[[nodiscard]] std::vector<Question> read_questions(const Exercise& exercise);

/// Why a text cannot be an answer to the question; "" when it can.
[[nodiscard]] std::string reason_against(const Question& question, const std::string& answer);

/// What is answered: by a student, or in an instructor's answers.yaml.
struct Answers {
  api::Labels answers;  ///< by question
  api::Labels because;  ///< of an instructor
};
/// Answers by question in a file; a number may stand there without quotes.
[[nodiscard]] scenarios::Codec<api::Labels> answer_grammar();
/// Throws `BadInput`.
[[nodiscard]] Answers read_answers(const std::filesystem::path& file);

/// Those of `answers_of_instructor`; nothing where they are missing. Throws `BadInput`.
[[nodiscard]] std::optional<Answers> right_answers(const Exercise& exercise,
                                                   const std::filesystem::path& instructor);

/// The answer that the world gives: a count, or lines "Sync default/red" with commas between them.
/// Plays the story under the default schedule. Throws `BadInput`.
[[nodiscard]] std::string measured_answer(const Exercise& exercise, const Question& question);

/// Whether two answers are the same, whatever the blanks and the case of letters.
[[nodiscard]] bool same_answer(const std::string& one, const std::string& other);

/// The lines of a grade. `right` has the answers that no measure gives; where it is not known, as
/// in a bundle, what is answered there is open until it is graded, and so are its points.
void put_answers(Grade& grade, const Exercise& exercise, const Answers& given,
                 const std::optional<Answers>& right);

}  // namespace watchlab::course
