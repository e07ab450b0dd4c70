// What a student meets who predicts: the command, from the starter to the grade.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "exercises/grader/predictions.hpp"
#include "exercises/grader/questions.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/processes.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"
#include "tests/support/texts.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;
using tests::says;

struct PredictFixture {
  Toolchain toolchain = toolchain_of_tests();
  Exercise exercise = read_exercise(toolchain.exercises() / "07-resync");
  ScratchFolder scratch;
  fs::path file = scratch.path() / "homework/07-resync/answers.yaml";

  PredictFixture() { BOOST_TEST_REQUIRE(call("start E07").status == 0); }

  /// Runs the program with a line of words, `input` on its standard input.
  [[nodiscard]] ProcessEnd call(const std::string& words, const std::string& input = "") const {
    const fs::path program = toolchain.tree / "exercises/grader/watchlab-course";
    scratch.write("input", input);
    return run_plainly({"/bin/sh", "-c",
                        program.string() + " " + words +
                            (words.starts_with("grade") ? "" : " --homework homework") + " <input"},
                       scratch.path());
  }
  [[nodiscard]] Predictions record() const { return {exercise, file}; }
  /// The right answer to each question, a line each; the first `wrong` of them are wrong.
  [[nodiscard]] std::string lines(std::size_t wrong) const {
    const Answers right = read_answers(exercise.folder / "instructor/answers.yaml");
    std::string text;
    for (const Question& question : read_questions(exercise)) {
      const std::string truth =
          question.measured ? measured_answer(exercise, question) : right.answers.at(question.id);
      text += (wrong == 0 ? truth : question.measured ? "98" : truth == "c" ? "a" : "c") + "\n";
      wrong -= wrong == 0 ? 0 : 1;
    }
    return text;
  }
  [[nodiscard]] std::string graded() const {
    const ProcessEnd end = call("grade E07 --submission homework/07-resync --format json");
    BOOST_TEST_REQUIRE(end.status == 0, end.output);
    return end.output;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(predict_test, PredictFixture)

BOOST_AUTO_TEST_CASE(nothing_of_the_starter_is_locked) {
  const ProcessEnd end = call("predict E07");
  BOOST_TEST(end.status == 2, end.output);
  BOOST_TEST(says(end.output, "0 of 13 answers are locked"), end.output);
  BOOST_TEST(!says(end.output, "it was"), end.output);
  BOOST_TEST(record().counted().empty());
  BOOST_TEST(says(graded(), "\"status\":\"not_gradable\""));
  BOOST_TEST(call("check E07").status == 1);
}

BOOST_AUTO_TEST_CASE(the_placeholders_of_a_starter_are_refused) {
  const fs::path mine = scratch.write("mine.yaml", "answers: {deltas_at_ten: \"99\"}\n");
  const ProcessEnd end = call("predict E07 --answers mine.yaml");
  BOOST_TEST(end.status == 2, end.output);
  BOOST_TEST(says(end.output, "mine.yaml: adds_in_all: there is no answer"), end.output);
  BOOST_TEST(says(end.output, "nothing is locked"), end.output);
  BOOST_TEST(record().counted().empty());
}

BOOST_AUTO_TEST_CASE(each_answer_is_locked_before_the_next_question) {
  const ProcessEnd end = call("predict E07", "98\n98\n");
  BOOST_TEST(end.status == 2, end.output);
  BOOST_TEST(says(end.output, "2 of 13 answers are locked"), end.output);
  BOOST_TEST(!says(end.output, "it was"), end.output);
  BOOST_TEST(record().counted().size() == 2);
  const ProcessEnd checked = call("check E07");
  BOOST_TEST(checked.status == 1, checked.output);
  BOOST_TEST(says(checked.output, "2 of 13 answers are locked"), checked.output);
}

BOOST_AUTO_TEST_CASE(it_continues_where_it_was_and_grades_what_was_locked) {
  const std::string all = lines(2);
  BOOST_TEST(call("predict E07", all.substr(0, 6)).status == 2);
  BOOST_TEST(record().counted().size() == 2);
  const ProcessEnd end = call("predict E07", all.substr(6));
  BOOST_TEST_REQUIRE(end.status == 0, end.output);
  BOOST_TEST(says(end.output, "3 of 13  "), end.output);
  BOOST_TEST(!says(end.output, "\n1 of 13  "), end.output);
  BOOST_TEST(says(end.output, "11 of 13 predictions came true"), end.output);
  BOOST_TEST(says(end.output, "      you said 98; it was 2\n"), end.output);
  BOOST_TEST(says(end.output, "      it was b, the informer's own store\n"), end.output);
  BOOST_TEST(says(graded(), "11 of 13 predictions came true"));
  BOOST_TEST(says(call("list").output, "done"));
}

BOOST_AUTO_TEST_CASE(a_check_shows_nothing_before_the_reveal) {
  Predictions begun = record();
  for (const Question& question : read_questions(exercise)) {
    begun.lock(question.id, question.measured ? "98" : "c", "2026-11-22T13:01:02Z");
  }
  const ProcessEnd end = call("check E07");
  BOOST_TEST(end.status == 1, end.output);
  BOOST_TEST(says(end.output, "13 of 13 answers are locked"), end.output);
  BOOST_TEST(!says(end.output, "came true"), end.output);
}

BOOST_AUTO_TEST_CASE(right_answers_get_all_points) {
  BOOST_TEST_REQUIRE(call("predict E07", lines(0)).status == 0);
  BOOST_TEST(says(graded(), "\"points\":1E2"), graded());
  BOOST_TEST(call("check E07").status == 0);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_an_answer_is_asked_again) {
  const ProcessEnd end = call("predict E07", "many\n\n98\n");
  BOOST_TEST(says(end.output, "the answer is a number"), end.output);
  BOOST_TEST(record().counted().size() == 1);
}

BOOST_AUTO_TEST_CASE(a_signal_leaves_a_word_of_what_is_kept) {
  const std::string program = (toolchain.tree / "exercises/grader/watchlab-course").string();
  const ProcessEnd end = run_plainly(
      {"/bin/sh", "-c",
       "mkfifo pipe; " + program +
           " predict E07 --homework homework <pipe & exec 3>pipe; echo 98 >&3; until grep -q "
           "'what: answer' homework/07-resync/answers.yaml; do sleep 0.1; done; kill -INT $!; "
           "wait $!; echo exit $?"},
      scratch.path());
  BOOST_TEST(says(end.output, "\n1 of 13 answers are locked; "), end.output);
  BOOST_TEST(says(end.output, "exit 130"), end.output);
}

BOOST_AUTO_TEST_CASE(an_edited_lock_is_refused) {
  BOOST_TEST_REQUIRE(call("predict E07", lines(13)).status == 0);
  std::string text = read_whole(file);
  text.replace(text.find("text: \"98\""), 10, "text: \"2\"");
  scratch.write("homework/07-resync/answers.yaml", text);
  for (const char* const words : {"check E07", "predict E07"}) {
    const ProcessEnd end = call(words);
    BOOST_TEST(end.status != 0, end.output);
    BOOST_TEST(says(end.output, "the seal of entry 1 (requests_of_a_quiet_half_minute) is broken"),
               end.output);
  }
  BOOST_TEST(says(graded(), "is broken"));
  BOOST_TEST(says(graded(), "\"points\":0"));
}

BOOST_AUTO_TEST_CASE(a_record_that_was_taken_back_is_refused_and_a_new_start_is_noted) {
  BOOST_TEST_REQUIRE(call("predict E07", lines(13)).status == 0);
  scratch.write("homework/07-resync/answers.yaml", "locked: []\n");
  const ProcessEnd refused = call("predict E07", lines(0));
  BOOST_TEST(refused.status == 2, refused.output);
  BOOST_TEST(says(refused.output, "have been taken away"), refused.output);
  BOOST_TEST(record().counted().empty());
  BOOST_TEST(call("predict E07 --anew", lines(0)).status == 2);
  BOOST_TEST_REQUIRE(call("predict E07 --anew --note 'lost my file'", lines(0)).status == 0);
  BOOST_TEST(says(graded(), "had been edited"));
  BOOST_TEST(says(graded(), "lost my file"));
}

BOOST_AUTO_TEST_CASE(after_the_reveal_a_new_start_does_not_change_the_grade) {
  BOOST_TEST_REQUIRE(call("predict E07", lines(13)).status == 0);
  BOOST_TEST_REQUIRE(call("predict E07 --anew --note practice", lines(0)).status == 0);
  BOOST_TEST(says(graded(), "0 of 13 predictions came true"));
  BOOST_TEST(says(graded(), "Started anew"));
}

BOOST_AUTO_TEST_CASE(a_file_of_answers_is_taken_whole) {
  const Answers right = read_answers(exercise.folder / "instructor/answers.yaml");
  std::string text = "answers:\n";
  for (const Question& question : read_questions(exercise)) {
    text +=
        "  " + question.id + ": \"" +
        (question.measured ? measured_answer(exercise, question) : right.answers.at(question.id)) +
        "\"\n";
  }
  scratch.write("mine.yaml", text);
  const ProcessEnd end = call("predict E07 --answers mine.yaml");
  BOOST_TEST(end.status == 0, end.output);
  BOOST_TEST(says(end.output, "13 of 13 predictions came true"), end.output);
  BOOST_TEST(call("predict E07 --answers nowhere.yaml --anew --note x").status == 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
