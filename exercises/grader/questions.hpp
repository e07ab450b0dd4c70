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
  std::string kind;  ///< number, choice, list, or order: all letters of the choices
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

/// The answer that the simulation gives: a count, or lines "Sync default/red" with commas between
/// them. Plays the story under the default schedule. Throws `BadInput`.
[[nodiscard]] std::string measured_answer(const Exercise& exercise, const Question& question);

/// A page without an engine that asks all questions, with lists to drag into order. It saves a file
/// for `watchlab-course predict --answers`.
[[nodiscard]] std::string questions_page(const Exercise& exercise);

/// Whether two answers are the same, whatever the blanks and the case of letters.
[[nodiscard]] bool same_answer(const std::string& one, const std::string& other);

/// The lines of a grade. `right` has the answers that cannot be measured; where it is unknown, as
/// in a bundle, those answers and their points are open until they are graded.
void put_answers(Grade& grade, const Exercise& exercise, const Answers& given,
                 const std::optional<Answers>& right);

}  // namespace watchlab::course
