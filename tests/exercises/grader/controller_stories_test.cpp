// What a story is worth that is to break a controller, and what is said where there is no Go. The
// controllers here are programs in shell that speak the protocol of docs/go.md.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "exercises/grader/written_stories.hpp"
#include "exercises/programs/controllers.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"
#include "tests/support/shell_programs.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;
using tests::beginning;
using tests::until_stopped;

/// It notes something, and lives until it is asked to stop.
std::string program_that_notes(const std::string& text) {
  return "#!/bin/sh" + beginning + R"sh(echo 'watchlab-lockstep 1 {}' >&3
order
say "{\"now\":$until,\"events\":[{\"kind\":\"note\",\"text\":\")sh" +
         text + "\\\"}]}\"\n" + until_stopped;
}

std::string story_with(const std::string& clients, const std::string& expectation) {
  return "apiVersion: watchlab/v1\nname: story\nstory: A program notes something.\nclients: [" +
         clients + "]\nscript: [{at: 5s, create: demo}]\nuntil: 10s\nexpect: [" + expectation +
         "]\n";
}

struct ControllerFixture : GradingFixture {
  ControllerFixture() {
    exercise.task = Task::WriteScenario;
    exercise.files = {"story.yaml"};
    add("correct_1", Pool::Correct, "right, of one kind");
    add("correct_2", Pool::Correct, "right, of another kind");
    add("shown_1", Pool::Shown, "wrong");
  }

  void add(const std::string& name, Pool pool, const std::string& note) {
    const fs::path program = scratch.write("programs/" + name, program_that_notes(note));
    fs::permissions(program,
                    fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec);
    controllers.push_back({.id = name, .pool = pool, .source = "", .built = program});
  }

  SuiteRuns runs_of(const std::string& story) {
    scratch.write("handin/story.yaml", story);
    return run_stories(context, controllers, scratch.path() / "handin", 2);
  }
  /// What is graded in a bundle that has these controllers.
  Grade grade_in_bundle(const std::string& story) {
    std::string list;
    for (const Variant& controller : controllers) {
      list += "  - {id: " + controller.id + ", pool: " + to_string(controller.pool) + "}\n";
      fs::create_directories(scratch.path() / "variants");
      fs::copy_file(controller.built, scratch.path() / "variants" / controller.id);
    }
    scratch.write("variants/built.yaml", "variants:\n" + list);
    scratch.write("handin/story.yaml", story);
    Toolchain bundle = toolchain;
    bundle.root = scratch.path();
    bundle.tree.clear();
    fs::create_directory(scratch.path() / "bin");
    fs::create_directory(scratch.path() / "lib");
    fs::copy_file(toolchain.player(), bundle.player());
    fs::copy_file(toolchain.wall(), bundle.wall());
    exercise.folder = scratch.path();
    const CommandContext there{bundle, sandbox, exercise, [](std::string_view) {}};
    return Grading(there, [](const Grade&) {}).grade({.submission = scratch.path() / "handin"});
  }
  void require_refused(const std::string& story, const std::string& why) {
    const SuiteRuns runs = runs_of(story);
    BOOST_TEST(!runs.tests.front().valid);
    BOOST_TEST(!runs.defects.front().caught());
    BOOST_TEST((runs.tests.front().reason.find(why) == 0),
               runs.tests.front().reason + runs.tests.front().run.text);
  }

  std::vector<Variant> controllers;
  CommandContext context{toolchain, sandbox, exercise, [](std::string_view) {}};
};

constexpr const char* kController = "{name: program, kind: go}";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(controller_stories_test, ControllerFixture)

BOOST_AUTO_TEST_CASE(a_story_counts_that_holds_with_right_controllers_and_notices_a_wrong_one) {
  const SuiteRuns runs = runs_of(story_with(kController, "notes: {exactly: [\"right*\"]}"));
  BOOST_TEST(runs.tests.front().valid, runs.tests.front().reason + runs.tests.front().run.text);
  BOOST_TEST(runs.defects.front().caught());
  Grade grade;
  put_story_runs(grade, runs);
  BOOST_TEST(grade.points() == 100);
  BOOST_TEST(grade.summary == "1 of 1 defects caught.");
}

BOOST_AUTO_TEST_CASE(what_one_right_controller_does_is_not_promised) {
  require_refused(story_with(kController, "notes: {exactly: [\"*one kind\"]}"),
                  "it fails with a correct controller:");
}

BOOST_AUTO_TEST_CASE(a_story_that_asks_for_nothing_notices_nothing) {
  const SuiteRuns runs = runs_of(story_with(kController, "notes: {exactly: [\"*\"]}"));
  BOOST_TEST(runs.tests.front().valid);
  BOOST_TEST(!runs.defects.front().caught());
}

// A program that Go interrupts where a machine is busy differs from run to run, and then it does
// not.
BOOST_AUTO_TEST_CASE(a_controller_that_differs_now_and_then_is_played_again) {
  controllers.clear();
  const std::string often = "$(echo >> plays; [ $(wc -l < plays) -gt 5 ] || wc -l < plays)";
  add("correct_1", Pool::Correct, "right" + often);
  add("shown_1", Pool::Shown,
      "wrong$(echo >> plays2; [ $(wc -l < plays2) -gt 5 ] || wc -l < plays2)");
  const SuiteRuns runs = runs_of(story_with(kController, "notes: {exactly: [\"right*\"]}"));
  BOOST_TEST(runs.given_up == "");
  BOOST_TEST_REQUIRE(runs.tests.size() == 1);
  BOOST_TEST(runs.tests.front().valid, runs.tests.front().reason + runs.tests.front().run.text);
  BOOST_TEST(runs.defects.front().caught());
}

BOOST_AUTO_TEST_CASE(where_a_controller_always_differs_no_points_are_won_or_lost) {
  add("shown_2", Pool::Shown, "wrong $(date +%N)");
  const Grade grade = grade_in_bundle(story_with(kController, "notes: {exactly: [\"right*\"]}"));
  BOOST_TEST((grade.status == Grade::Status::NotGradable), words_of(grade));
  BOOST_TEST(grade.points() == 0);
  BOOST_TEST(
      grade.summary ==
      "It could not be evaluated, and nothing is lost: story.yaml: a controller did something "
      "else each time that it was played. This machine has too much to do; try again when "
      "it has less.");
}

BOOST_AUTO_TEST_CASE(the_grader_chooses_the_program) {
  require_refused(
      story_with("{name: program, kind: go, run: [/bin/false]}", "notes: {exactly: []}"),
      "the client program names a program; leave out run");
  require_refused(story_with("{name: other, kind: informer}", "store: {exactly: [demo]}"),
                  "no client is of the kind go");
  require_refused(story_with(std::string(kController) + ", {name: other, kind: external}",
                             "{of: program, notes: {never: [x]}}"),
                  "the client other is a program outside of the world");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_built_here_is_said_in_a_line_and_not_graded) {
  exercise = read_exercise(toolchain.exercises() / "18-pods-for-configmaps");
  Toolchain elsewhere = toolchain;
  elsewhere.tree = scratch.path();  // nothing is built there
  const CommandContext unbuilt{elsewhere, sandbox, exercise, [](std::string_view) {}};
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  const std::string missing = missing_here(unbuilt);
  BOOST_CHECK_THROW((void)Grading(unbuilt, [](const Grade&) {})
                        .grade({.submission = exercise.folder / "starter"}),
                    NotHere);
  ::setenv("PATH", path.c_str(), 1);
  BOOST_TEST(missing == "E18 is skipped: its controllers are built with Go, and there is none");
}

BOOST_AUTO_TEST_CASE(what_a_student_reads_does_not_say_what_is_wrong) {
  exercise = read_exercise(toolchain.exercises() / "18-pods-for-configmaps");
  const auto sources = sources_to_read(toolchain, exercise);
  BOOST_TEST(sources.size() == 3);
  for (const auto& [name, text] : sources) {
    BOOST_TEST((text.find("Symptom: ") == std::string::npos), name);
    BOOST_TEST((text.find("package ") != std::string::npos), name);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
