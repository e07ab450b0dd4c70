// What students believe of a library: a corpus of wrong tests, and how many get a message that
// names the promise that they misunderstand.
#include "exercises/grader/misconceptions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "exercises/programs/texts.hpp"
#include "scenarios/language/table.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {

BOOST_FIXTURE_TEST_SUITE(misconceptions_test, GradingFixture)

namespace {

/// A file of tests/exercises/misconceptions.
struct WrongTests {
  std::string exercise;
  std::string head;   ///< of the file
  std::string begin;  ///< of each body
  api::Labels tests;  ///< the bodies
};

WrongTests read_wrong_tests(const std::filesystem::path& file) {
  scenarios::Table<WrongTests> table("wrong tests", "Tests that fail with a right library.");
  table.required("exercise", &WrongTests::exercise, scenarios::text("an id"), "Of what.")
      .required("head", &WrongTests::head, scenarios::text("a text"), "Of the file.")
      .required("begin", &WrongTests::begin, scenarios::text("a text"), "Of each body.")
      .required("tests", &WrongTests::tests, scenarios::text_map("bodies"), "The tests.");
  return read_by(table.codec(), file);
}

std::string suite_of(const WrongTests& wrong) {
  std::string text = wrong.head;
  for (const auto& [name, body] : wrong.tests) {
    text += fmt::format(
        "\nBOOST_AUTO_TEST_CASE({}) {{\n  in_every_world([](Runtime& runtime) {{\n{}\n{}\n  "
        "}});\n}}\n",
        name, wrong.begin, body);
  }
  return text;
}

/// How many of a file's 24 tests have to get a specific message: those that do, less one or two.
const std::vector<std::pair<std::string, std::size_t>> kFiles{
    {"01t", 20}, {"02", 20}, {"04", 20}, {"06", 20}, {"08t", 18}};

}  // namespace

BOOST_DATA_TEST_CASE(wrong_tests_get_the_promise_that_they_misunderstand,
                     boost::unit_test::data::make({0, 1, 2, 3, 4}), number) {
  const auto& [name, specific_min] = kFiles.at(number);
  const WrongTests wrong =
      read_wrong_tests(toolchain.root / "tests/exercises/misconceptions" / (name + ".yaml"));
  exercise = find_exercise(read_exercises(toolchain.exercises()), wrong.exercise);
  instructor.clear();  // as at home
  const std::string source = suite_of(wrong);
  scratch.write("handin/" + exercise.files.front(), source);
  const Grade grade = grade_submission(scratch.path() / "handin");
  BOOST_TEST_REQUIRE((grade.status == Grade::Status::Finished), grade.summary);
  std::size_t wrong_tests = 0;
  std::size_t specific = 0;
  for (const GradeCase& entry : grade.cases) {
    if (entry.kind != "test") {
      continue;
    }
    const std::string message = entry.message.substr(0, entry.message.find('\n'));
    BOOST_TEST(entry.outcome == "invalid", entry.id << " is right");
    wrong_tests += entry.outcome == "invalid" ? 1 : 0;
    const bool is_specific = message.find("with a correct library, against ") != std::string::npos;
    specific += is_specific ? 1 : 0;
    BOOST_TEST_MESSAGE(exercise.id << " " << entry.id << ": " << message);
  }
  BOOST_TEST_MESSAGE(exercise.id << ": " << specific << " of " << wrong_tests);
  BOOST_TEST(wrong_tests == 24U);
  BOOST_TEST(specific >= specific_min);
}

BOOST_AUTO_TEST_CASE(each_exercise_of_tests_has_a_table) {
  for (const auto& [name, ignored] : kFiles) {
    const std::string id = "E" + name;
    const Exercise each = find_exercise(read_exercises(toolchain.exercises()), id);
    BOOST_TEST(!read_misconceptions(each).empty(), id);
  }
  BOOST_TEST(read_misconceptions(exercise).empty());
}

BOOST_AUTO_TEST_CASE(pieces_stand_in_their_order) {
  BOOST_TEST(has_pieces("store->list() [0]", "list()["));
  BOOST_TEST(has_pieces("a b c", "a…c"));
  BOOST_TEST(!has_pieces("a b c", "c…a"));
  BOOST_TEST(!has_pieces("aa", "aa…a"));
  BOOST_TEST(has_pieces("anything", ""));
}

BOOST_AUTO_TEST_CASE(a_test_ends_where_the_next_begins) {
  const std::string source =
      "\nBOOST_AUTO_TEST_CASE(one) { first }\nBOOST_FIXTURE_TEST_CASE(two, F) { second }\n";
  BOOST_TEST(test_in(source, "one") == "(one) { first }");
  BOOST_TEST(test_in(source, "two") == "(two, F) { second }\n");
  BOOST_TEST(test_in(source, "three").empty());
  const std::vector<Misconception> rows{{.clause = "C1", .code = "second", .say = "no"}};
  BOOST_TEST(find_misconception(rows, test_in(source, "one"), "") == nullptr);
  BOOST_TEST(find_misconception(rows, test_in(source, "two"), "") == &rows.front());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
