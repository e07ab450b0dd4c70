#pragma once

#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/time.hpp"
#include "exercises/grader/grade.hpp"
#include "exercises/programs/exercise.hpp"

namespace watchlab::course {

/// What of a played story answers a question.
struct Measure {
  std::string layer;  ///< requests, deltas or calls
  std::string of;     ///< a client or handler; "" for all
  std::string verb;   ///< "LIST", "Sync", "update"; "" for all
  runtime::Duration from{0};
  runtime::Duration until = runtime::Duration::max();
  std::string show = "count";  ///< count or lines
};

/// A question of a predict exercise.
struct Question {
  std::string id;
  std::string ask;
  std::string kind;  ///< number, choice or list
  std::int64_t points = 1;
  std::string scenario;  ///< the story that it is about; "" for none
  api::Labels choices;
  bool measured = false;
  Measure measure;
};

/// questions.yaml. Throws `BadInput`.
[[nodiscard]] std::vector<Question> read_questions(const Exercise& exercise);

/// Why a text cannot be an answer to the question; "" when it can.
[[nodiscard]] std::string reason_against(const Question& question, const std::string& answer);

/// What is answered: by a student, or in an instructor's answers.yaml.
struct Answers {
  api::Labels answers;  ///< by question
  api::Labels because;  ///< of an instructor
  api::Labels sealed;   ///< in a bundle: to compare with, not to read
};
/// Throws `BadInput`.
[[nodiscard]] Answers read_answers(const std::filesystem::path& file);

/// The instructor's, or in a bundle the sealed ones; empty when there are neither.
[[nodiscard]] Answers right_answers(const Exercise& exercise,
                                    const std::filesystem::path& instructor);
/// What a bundle has of the instructor's answers, as a file.
[[nodiscard]] std::string sealed_text(const Answers& right);

/// The answer that the world gives: a count, or lines "Sync default/red" with commas between them.
/// Plays the story under its ordinary schedule. Throws `BadInput`.
[[nodiscard]] std::string measured_answer(const Exercise& exercise, const Question& question);

/// Whether two answers are the same, whatever the blanks and the case of letters.
[[nodiscard]] bool same_answer(const std::string& one, const std::string& other);

/// The lines of a grade. `right` has the answers that no measure gives.
void put_answers(Grade& grade, const Exercise& exercise, const Answers& given,
                 const Answers& right);

}  // namespace watchlab::course
