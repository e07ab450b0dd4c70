#include "exercises/grader/questions.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>
#include <string>

#include "tests/exercises/grader/scratch_folder.hpp"

namespace watchlab::course {
namespace {

constexpr const char* kStory = R"(apiVersion: watchlab/v1
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

constexpr const char* kQuestions = R"(scenario: story.yaml
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
    scratch.write("story.yaml", kStory);
    scratch.write("questions.yaml", kQuestions);
  }
  [[nodiscard]] Grade grade_of(const Answers& given, const std::optional<Answers>& right) const {
    Grade grade;
    put_answers(grade, exercise, given, right);
    return grade;
  }
};

}  // namespace

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

BOOST_AUTO_TEST_CASE(where_the_right_answers_are_missing_answers_are_open) {
  for (const char* const letter : {"a", "b"}) {
    const Grade grade = grade_of({.answers = {{"lists", "1"}, {"why", letter}}}, std::nullopt);
    BOOST_TEST(grade.points() == 60);
    BOOST_TEST(grade.points_max == 80);
    BOOST_TEST(grade.points_open == 20);
    BOOST_TEST(grade.cases.back().outcome == "open");
    BOOST_TEST((grade.summary.find("1 of 2 predictions came true. 1 more") == 0), grade.summary);
  }
  BOOST_TEST(grade_of({}, std::nullopt).points() == 0);
  BOOST_TEST(grade_of({}, std::nullopt).points_max == 100);  // an answer is still to be given
}

BOOST_AUTO_TEST_CASE(a_list_of_another_form_is_refused) {
  const Question late = read_questions(exercise)[1];
  for (const char* const good : {"add default/green", "Add default/green,update default/red"}) {
    BOOST_TEST(reason_against(late, good) == "");
  }
  for (const char* const bad : {"add green", "added default/green", "add default/green,",
                                "add default/green update default/red", "2"}) {
    BOOST_TEST((reason_against(late, bad).find("is not like \"add default/red\"; what stands "
                                               "before the name is add, update or delete") !=
                std::string::npos),
               bad << ": " << reason_against(late, bad));
  }
}

BOOST_AUTO_TEST_CASE(numbers_may_be_answered_without_quotes) {
  const auto file = scratch.write("answers.yaml", "answers: {lists: 1, late: \"2\", why: b}\n");
  const Answers read = read_answers(file);
  BOOST_TEST(read.answers.at("lists") == "1");
  BOOST_TEST(read.answers.at("late") == "2");
}

BOOST_AUTO_TEST_CASE(a_grade_needs_the_right_answers) {
  BOOST_TEST(!right_answers(exercise, "").has_value());
  BOOST_CHECK_THROW(static_cast<void>(right_answers(exercise, scratch.path() / "instructor")),
                    BadInput);
  scratch.write("instructor/answers.yaml", "answers: {why: b}\n");
  for (const char* const folder : {"", "instructor"}) {
    const auto right = right_answers(exercise, *folder == '\0' ? folder : scratch.path() / folder);
    BOOST_TEST(right.value().answers.at("why") == "b");
  }
}

BOOST_AUTO_TEST_CASE(an_order_is_all_letters_and_right_only_as_it_is) {
  scratch.write(
      "questions.yaml",
      "questions: [{id: steps, ask: Steps, kind: order, choices: {a: one, b: two, c: <3>}}]\n");
  const Question asked = read_questions(exercise).front();
  for (const char* const answer : {"a, b", "a, b, b", "a b c", "a, b, c, d"}) {
    BOOST_TEST(reason_against(asked, answer) ==
               "the answer is all of a,b,c, in an order, with commas between");
  }
  BOOST_TEST(reason_against(asked, "c, A,b") == "");
  const Answers right{.answers = {{"steps", "b, c, a"}}, .because = {}};
  const auto outcome = [&](const char* answer) {
    return grade_of({.answers = {{"steps", answer}}, .because = {}}, right).cases.front().outcome;
  };
  BOOST_TEST(outcome("b,c,a") == "pass");
  BOOST_TEST(outcome("c, b, a") == "fail");
  const std::string page = questions_page(exercise);
  BOOST_TEST((page.find("<ol class=order>\n<li data-letter=a>") != std::string::npos), page);
  BOOST_TEST((page.find("&lt;3&gt;") != std::string::npos), page);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
