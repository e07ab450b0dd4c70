#include "exercises/grader/questions.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "tests/exercises/grader/scratch_folder.hpp"

namespace watchlab::course {
namespace {

constexpr const char* story = R"(apiVersion: watchlab/v1
name: story
story: Two objects are there, one more comes.
server:
  objects: [red, blue]
clients:
  - name: informer
    kind: informer
script:
  - after: 5s
    create: green
  - wait: 5s
)";

constexpr const char* questions = R"(scenario: story.yaml
questions:
  - id: lists
    ask: How many lists?
    kind: number
    points: 3
    measure: {layer: requests, verb: LIST}
  - id: late
    ask: What is called after 4 s?
    kind: list
    measure: {layer: calls, from: 4s, show: lines}
  - id: why
    ask: Why?
    kind: choice
    choices: {a: one, b: two}
)";

struct QuestionsFixture {
  ScratchFolder scratch;
  Exercise exercise{.folder = scratch.path()};

  QuestionsFixture() {
    scratch.write("story.yaml", story);
    scratch.write("questions.yaml", questions);
  }
  [[nodiscard]] Grade grade_of(const Answers& given, const Answers& right) const {
    Grade grade;
    put_answers(grade, exercise, given, right);
    return grade;
  }
};

BOOST_FIXTURE_TEST_SUITE(questions_test, QuestionsFixture)

BOOST_AUTO_TEST_CASE(the_world_answers_what_is_measured) {
  const auto read = read_questions(exercise);
  BOOST_TEST_REQUIRE(read.size() == 3);
  BOOST_TEST(measured_answer(exercise, read[0]) == "1");
  BOOST_TEST(measured_answer(exercise, read[1]) == "add default/green");
  BOOST_TEST(!read[2].measured);
}

BOOST_AUTO_TEST_CASE(answers_count_by_their_points) {
  const Answers right{.answers = {{"why", "b"}}};
  BOOST_TEST(grade_of({.answers = {{"lists", "1"}, {"why", "a"}}}, right).points() == 60);
  BOOST_TEST(
      grade_of({.answers = {{"lists", " 1"}, {"late", "Add  default/green"}, {"why", "B"}}}, right)
          .points() == 100);
  BOOST_TEST(grade_of({}, right).points() == 0);
}

BOOST_AUTO_TEST_CASE(sealed_answers_can_be_compared_and_not_read) {
  const Answers right{.answers = {{"why", "the reason"}}};
  const std::string text = sealed_text(right);
  BOOST_TEST(text.find("reason") == std::string::npos);
  const Answers sealed = read_answers(scratch.write("sealed.yaml", text));
  BOOST_TEST(grade_of({.answers = {{"why", "The reason"}}}, sealed).points() == 20);
  BOOST_TEST(grade_of({.answers = {{"why", "another"}}}, sealed).points() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace watchlab::course
