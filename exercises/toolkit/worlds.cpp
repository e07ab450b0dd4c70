#include "exercises/toolkit/worlds.hpp"

#include <fmt/format.h>

#include <boost/test/execution_monitor.hpp>
#include <boost/test/results_collector.hpp>
#include <boost/test/test_tools.hpp>
#include <boost/test/unit_test.hpp>
#include <optional>
#include <string>

#include "core/runtime/ensure.hpp"
#include "core/runtime/recover.hpp"
#include "exercises/toolkit/narration.hpp"
#include "exercises/toolkit/remote_library.hpp"
#include "exercises/toolkit/session.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/shrink.hpp"

namespace watchlab::exercise {
namespace {

using course::Session;

constexpr std::size_t shrink_runs_max = 500;

/// The world whose run is being told just now; null while worlds are only explored, where notes
/// would cost time. The expectations of a body do not get their runtime, so it is kept here.
runtime::Runtime*& told_world() {
  static runtime::Runtime* world = nullptr;
  return world;
}

/// A line of the story that a run is told as.
void note_expectation(const std::string& text) {
  if (told_world() != nullptr) {
    told_world()->note({.kind = expectation_note, .subject = "", .text = text});
  }
}

std::string place_of(const runtime::Location& here) {
  const std::string_view file = here.file_name();
  return fmt::format("({}:{})", file.substr(file.rfind('/') + 1), here.line());
}

/// The failing run as a story, with what the body expects.
std::string told(const sim::Failure& failure, const Body& body) {
  const Body heard = [&body](runtime::Runtime& runtime) {
    told_world() = &runtime;
    body(runtime);
  };
  std::string text = narrate(failure, heard);
  told_world() = nullptr;
  return text;
}

std::size_t checks_failed() {
  const auto& results = boost::unit_test::results_collector.results(
      boost::unit_test::framework::current_test_case_id());
  return results.p_assertions_failed;
}

/// A failed BOOST_TEST or BOOST_REQUIRE inside of the body is a failure of the run like any other.
void play(const Body& body, runtime::Runtime& runtime) {
  course::RemoteLibrary::of_program().begin_run();
  const std::size_t before = checks_failed();
  try {
    body(runtime);
  } catch (const boost::execution_aborted&) {
    runtime::ensure(false, "a BOOST_REQUIRE failed");
  }
  runtime::ensure(checks_failed() == before, "a BOOST_TEST failed");
}

/// How the grader counts a failure: a broken claim, nobody who goes on, or something thrown.
std::string_view ending_of(const sim::Failure& failure) {
  if (failure.kind == "deadlock" || failure.kind == "livelock" || failure.kind == "leak") {
    return "hang";
  }
  return failure.kind == "exception" ? "exception" : "assert";
}

std::string headline(const sim::Failure& failure) {
  if (failure.kind == "livelock") {
    return fmt::format("{} steps, and no end: does the body wait for something in a loop?",
                       failure.steps);
  }
  return fmt::format("{}: {}", failure.kind, failure.sentence);
}

/// Fails the running case. `told` is what stands below the headline.
void fail(const sim::Failure& failure, const std::string& told) {
  const std::string text = headline(failure) + "\n" + told;
  Session::of_program().report({"failure", std::string(ending_of(failure)), text});
  Session::of_program().report({"schedule", "", failure.schedule});
  BOOST_ERROR(text + "replay: WATCHLAB_SCHEDULE='" + failure.schedule + "'");
}

void tell(const sim::Failure& found, const Body& body) {
  if (!Session::of_program().settings().tells || found.kind == "divergence") {
    fail(found, "");
    return;
  }
  const bool is_long = found.kind == "livelock";
  const sim::Failure shortest =
      is_long ? found : sim::shrink(found, {.search_runs_max = shrink_runs_max}, body).failure;
  fail(shortest, is_long ? "" : told(shortest, body));
}

bool holds(const sim::ExploreOptions& options, const Body& body) {
  const sim::ExploreResult result = sim::explore(options, body);
  if (result.failure) {
    tell(*result.failure, body);
  }
  return !result.failure;
}

/// A schedule belongs to one body and one library; others, which do not follow it, hold.
void replay(const std::string& schedule, const Body& body) {
  const auto failure = sim::replay(schedule, body);
  if (failure && failure->kind != "divergence") {
    fail(*failure, told(*failure, body));
  }
}

}  // namespace

void in_every_world(const Body& body) {
  const course::RunSettings& settings = Session::of_program().settings();
  const Body played = [&body](runtime::Runtime& runtime) { play(body, runtime); };
  if (!settings.schedule.empty()) {
    replay(settings.schedule, played);
    return;
  }
  if (holds({.strategy = "fifo", .seed = settings.seed}, played)) {
    holds({.strategy = "random", .seed = settings.seed, .schedules_max = settings.schedules},
          played);
  }
}

void expect(bool fact, std::string_view claim, runtime::Location here) {
  note_expectation(fmt::format("{} {}: {}", claim, place_of(here), fact ? "yes" : "NO"));
  runtime::ensure(fact, claim, here);
}

void expect_equal(std::string_view found, std::string_view expected, runtime::Location here) {
  note_expectation(fmt::format("\"{}\" {}: {}", expected, place_of(here),
                               found == expected ? "yes" : fmt::format("NO, \"{}\"", found)));
  runtime::ensure(found == expected, fmt::format("found \"{}\", not \"{}\"", found, expected),
                  here);
}

void expect_equal(std::int64_t found, std::int64_t expected, runtime::Location here) {
  note_expectation(fmt::format("{} {}: {}", expected, place_of(here),
                               found == expected ? "yes" : fmt::format("NO, {}", found)));
  runtime::ensure(found == expected, fmt::format("found {}, not {}", found, expected), here);
}

void expect_panic(const std::function<void()>& action, std::string_view words,
                  runtime::Location here) {
  const auto panic = runtime::recover(action);
  expect(panic && panic->message.find(words) != std::string::npos,
         fmt::format("expected a panic that says \"{}\", not {}", words,
                     panic ? panic->message : "none"),
         here);
}

void act(runtime::Runtime& runtime, std::string_view what) {
  runtime.note({.kind = action_note, .subject = "", .text = what});
}

}  // namespace watchlab::exercise
