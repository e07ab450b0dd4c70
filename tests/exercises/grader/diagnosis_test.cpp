// What a diagnosis of the first cold case is worth, and that each case is cold; what a story is
// worth that is to break a build.
#include "exercises/grader/diagnosis.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "exercises/grader/written_stories.hpp"
#include "exercises/programs/texts.hpp"
#include "sim/kernel/schedule.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {
namespace {

struct DiagnosisFixture : GradingFixture {
  DiagnosisFixture() {
    exercise = read_exercise(toolchain.exercises() / "13-cold-cases");
    instructor = exercise.folder / "instructor";
    right = read_diagnoses(instructor / "answers.yaml");
  }

  /// The line of the first case. The others are left out, which costs no build.
  GradeCase line_for(const Diagnosis& diagnosis) {
    Grade grade{.points_max = 40};
    put_diagnoses(grade, context, {{"build_1", diagnosis}}, right);
    return grade.cases.front();
  }

  CommandContext context{toolchain, sandbox, exercise, [](std::string_view) {}};
  Diagnoses right;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(diagnosis_test, DiagnosisFixture)

BOOST_AUTO_TEST_CASE(each_case_holds_undisturbed_and_fails_under_its_schedule) {
  Grade grade{.points_max = 40};
  put_diagnoses(grade, context, right, right);
  const std::vector<DiagnosedCase> cases = read_cases(exercise);
  BOOST_TEST_REQUIRE(grade.cases.size() == cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    BOOST_TEST(holds_undisturbed(context, cases[i]), cases[i].id);
    BOOST_TEST(grade.cases[i].outcome == "pass", grade.cases[i].id + grade.cases[i].message);
  }
}

BOOST_AUTO_TEST_CASE(a_build_that_fails_by_itself_is_no_cold_case) {
  DiagnosedCase warm = read_cases(exercise).at(1);
  warm.id = "warm";
  warm.patch = "scenarios/museum/recreated_object_lost/defect.patch";
  BOOST_TEST(!holds_undisturbed(context, warm));
}

BOOST_AUTO_TEST_CASE(the_schedule_and_the_clause_together_are_worth_all) {
  const GradeCase line = line_for(right["build_1"]);
  BOOST_TEST(line.points == 10, line.message);
  BOOST_TEST(line.outcome == "pass");
}

BOOST_AUTO_TEST_CASE(a_wrong_clause_costs_three_tenths) {
  const GradeCase line = line_for({.clause = "C9", .schedule = right["build_1"].schedule});
  BOOST_TEST(line.points == 7, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(line.outcome == "fail");
  BOOST_TEST((line.message.find("the clause is not C9") != std::string::npos), line.message);
}

BOOST_AUTO_TEST_CASE(a_schedule_that_holds_reproduces_nothing) {
  sim::Schedule undisturbed = sim::Schedule::parse(right["build_1"].schedule);
  undisturbed.deviations.clear();
  const GradeCase line =
      line_for({.clause = right["build_1"].clause, .schedule = undisturbed.to_string()});
  BOOST_TEST(line.points == 3, boost::test_tools::tolerance(1e-9));
  BOOST_TEST((line.message.find("the schedule does not fail") != std::string::npos), line.message);
}

BOOST_AUTO_TEST_CASE(a_step_limit_of_the_students_own_shows_nothing) {
  sim::Schedule short_run = sim::Schedule::parse(right["build_1"].schedule);
  short_run.deviations.clear();
  short_run.steps_max = 375;  // the broken build needs one more
  const GradeCase line = line_for({.clause = "", .schedule = short_run.to_string()});
  BOOST_TEST(line.points == 0);
  BOOST_TEST((line.message.find("its step limit is 375") == 0), line.message);
}

BOOST_AUTO_TEST_CASE(time_that_passes_early_shows_nothing_where_the_case_does_not_let_it) {
  sim::Schedule early = sim::Schedule::parse(right["build_1"].schedule);
  early.early_advances_max = 1;
  const GradeCase line = line_for({.clause = "", .schedule = early.to_string()});
  BOOST_TEST(line.points == 0);
  BOOST_TEST((line.message.find("it allows 1 early jumps of time") == 0), line.message);
}

BOOST_AUTO_TEST_CASE(what_is_no_schedule_is_named_and_worth_nothing) {
  const GradeCase line = line_for({.clause = "", .schedule = "the reflector first"});
  BOOST_TEST(line.points == 0);
  BOOST_TEST(!line.message.empty());
}

BOOST_AUTO_TEST_CASE(nothing_said_is_worth_nothing) {
  const GradeCase line = line_for({});
  BOOST_TEST(line.points == 0);
  BOOST_TEST((line.message.find("no schedule") == 0), line.message);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

struct WrittenStoriesFixture : GradingFixture {
  WrittenStoriesFixture() {
    exercise = read_exercise(toolchain.exercises() / "17-break-it-by-a-story");
  }

  /// Hands in the text as the first story.
  GradeCase line_for(const std::string& text) {
    for (const std::string& file : exercise.files) {
      scratch.write("handin/" + file, file == "build_1.yaml" ? text : "apiVersion: none\n");
    }
    Grade grade{.points_max = 30};
    put_stories(grade, context, scratch.path() / "handin");
    return grade.cases.front();
  }
  [[nodiscard]] std::string solution() const {
    return read_whole(exercise.folder / "instructor/solution/build_1.yaml");
  }
  /// The solution with something else in place of a part of it.
  [[nodiscard]] std::string with(const std::string& part, const std::string& instead) const {
    std::string text = solution();
    BOOST_TEST_REQUIRE((text.find(part) != std::string::npos), part);
    return text.replace(text.find(part), part.size(), instead);
  }
  void require_refused(const std::string& text, const std::string& why) {
    const GradeCase line = line_for(text);
    BOOST_TEST(line.points == 0);
    BOOST_TEST((line.message.find(why) == 0), line.message);
  }

  CommandContext context{toolchain, sandbox, exercise, [](std::string_view) {}};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(written_stories_test, WrittenStoriesFixture)

BOOST_AUTO_TEST_CASE(a_story_counts_that_holds_with_right_clients_and_fails_with_the_broken_one) {
  const GradeCase line = line_for(solution());
  BOOST_TEST(line.points == 10, line.message + line.narration);
  BOOST_TEST(line.outcome == "pass");
}

BOOST_AUTO_TEST_CASE(a_story_that_asks_for_nothing_shows_nothing) {
  require_refused(with("takes: 5s", "takes: 0s"), "it passes with the broken client too");
}

// The broken client also breaks what every story is checked for.
BOOST_AUTO_TEST_CASE(a_story_is_worth_what_it_expects_itself) {
  const std::string why = "with the broken client it breaks nothing that it expects itself";
  const std::string expectation =
      "expect:\n  - store: {exactly: [{name: demo, data: {color: red}}]}\n";
  require_refused(with(expectation, ""), why);
  require_refused(with(expectation, "expect:\n  - store: {at_least: []}\n"), why);
  require_refused(with(expectation, "expect:\n  - store: {at_least: [demo]}\n"), why);
}

BOOST_AUTO_TEST_CASE(what_right_clients_do_otherwise_is_not_promised) {
  require_refused(with("store: {exactly: [{name: demo, data: {color: red}}]}",
                       "requests: {exactly: [LIST: {rv: \"0\"}, WATCH: {ends: open}]}"),
                  "it fails with a correct client (modern):");
  require_refused(
      with("store: {exactly: [{name: demo, data: {color: red}}]}", "store: {exactly: []}"),
      "it fails with a correct client (classic):");
}

// Which of two clients meets the failure is a matter of order; in the default one it is the first.
BOOST_AUTO_TEST_CASE(what_is_so_in_one_order_only_is_not_promised) {
  require_refused(
      "apiVersion: watchlab/v1\nname: build_1\nstory: |\n  Two start at a time.\n\nclients:\n"
      "  - {name: one, kind: informer, starts: later}\n"
      "  - {name: two, kind: informer, starts: later}\n"
      "script:\n  - {at: 4s, fault: {fail_requests: {times: 1, answer: unavailable}}}\n"
      "  - {at: 5s, atomic: [{start: one}, {start: two}]}\n"
      "expect:\n  - {of: two, requests: {never: [LIST: {answer: unavailable}]}}\n",
      "it fails with a correct client (classic) under another schedule:");
}

BOOST_AUTO_TEST_CASE(a_story_must_be_one_and_have_clients_of_its_own) {
  require_refused("name: [", "it is no story:");
  require_refused(with("kind: informer, ", "kind: informer, machine: modern, "),
                  "the client informer names a machine");
  require_refused(
      "apiVersion: watchlab/v1\nname: build_1\nstory: |\n  One of the catalogue.\n\nprogram: "
      "relist_a_change\n",
      "a program of the catalogue is played");
  require_refused(
      "apiVersion: watchlab/v1\nname: build_1\nstory: |\n  A program outside.\n\nclients:\n  - "
      "{name: other, kind: go, run: [/bin/false]}\n",
      "the client other is a program outside of the world");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
