#include "exercises/toolkit/worlds.hpp"

#include <fmt/format.h>

#include <boost/test/execution_monitor.hpp>
#include <boost/test/results_collector.hpp>
#include <boost/test/test_tools.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>

#include "core/runtime/ensure.hpp"
#include "core/runtime/recover.hpp"
#include "exercises/toolkit/cluster.hpp"
#include "exercises/toolkit/loaded_suite.hpp"
#include "exercises/toolkit/remote_runtime.hpp"
#include "exercises/toolkit/search.hpp"
#include "exercises/toolkit/session.hpp"

namespace watchlab::exercise {
namespace {

using course::Session;

/// The world whose run is being narrated; null while worlds are only explored, where notes
/// would cost time. The expectations of a body do not get their runtime, so it is kept here.
runtime::Runtime*& narrated_world() {
  static runtime::Runtime* world = nullptr;
  return world;
}

/// A line of a run's narration.
void note_expectation(const std::string& text) {
  if (narrated_world() != nullptr) {
    narrated_world()->note({.kind = kExpectationNote, .subject = "", .text = text});
  }
}

std::string place_of(const runtime::Location& here) {
  const std::string_view file = here.file_name();
  return fmt::format("({}:{})", file.substr(file.rfind('/') + 1), here.line());
}

/// Has the body narrated, or not, while it is played.
class NarratedWorld {
 public:
  NarratedWorld(runtime::Runtime& runtime, bool is_narrated) {
    narrated_world() = is_narrated ? &runtime : nullptr;
  }
  NarratedWorld(const NarratedWorld&) = delete;
  NarratedWorld& operator=(const NarratedWorld&) = delete;
  ~NarratedWorld() { narrated_world() = nullptr; }
};

/// "check a == b has failed [1 != 2] (fifo_test.cpp:12)" of what Boost.Test logs, which is
/// "fifo_test.cpp(12): error: in "name": check a == b has failed [1 != 2]".
std::string first_check_in(const std::string& log) {
  const std::string line = log.substr(0, log.find('\n'));
  const std::size_t open = line.find('(');
  const std::size_t close = line.find("): ", open);
  const std::size_t name = line.find("error: in ");
  const std::size_t text = name == std::string::npos ? name : line.find("\": ", name);
  if (open == std::string::npos || close == std::string::npos || text == std::string::npos) {
    return "a BOOST_TEST failed; expect and expect_equal give better messages";
  }
  const std::string file = line.substr(0, open);
  return fmt::format("{} ({}:{})", line.substr(text + 3), file.substr(file.rfind('/') + 1),
                     line.substr(open + 1, close - open - 1));
}

std::size_t checks_failed() {
  const auto& results = boost::unit_test::results_collector.results(
      boost::unit_test::framework::current_test_case_id());
  return results.p_assertions_failed;
}

/// A task that a test has left behind uses what is not there any more.
void require_all_ended(const std::map<std::uint64_t, std::string>& unfinished) {
  if (unfinished.empty()) {
    return;
  }
  const std::string& name = unfinished.begin()->second;
  const std::string left = name == kClientOfCluster ? "call cluster.stop()" : "join it";
  throw std::runtime_error(fmt::format("task '{}'{}{}", name, course::kLeftRunning, left));
}

/// A failed BOOST_TEST or BOOST_REQUIRE inside of the body is a failure of the run like any other.
void play(const Body& body, runtime::Runtime& runtime) {
  const std::size_t before = checks_failed();
  const std::size_t logged = course::log_of_checks().size();
  auto* const remote = dynamic_cast<course::RemoteRuntime*>(&runtime);
  if (remote != nullptr) {
    remote->forget_unfinished();
  }
  try {
    body(runtime);
  } catch (const boost::execution_aborted&) {
    throw std::runtime_error(first_check_in(course::log_of_checks().substr(logged)));
  }
  if (checks_failed() != before) {
    throw std::runtime_error(first_check_in(course::log_of_checks().substr(logged)));
  }
  if (remote != nullptr) {
    require_all_ended(remote->unfinished());
  }
}

void search(const Body& body, int preemptions_max) {
  const course::RunSettings& settings = Session::of_program().settings();
  const course::NarratedBody played = [&body](runtime::Runtime& runtime, bool is_narrated) {
    const NarratedWorld narration(runtime, is_narrated);
    play(body, runtime);
  };
  const course::Search search{.seed = settings.seed,
                              .schedules = settings.schedules,
                              .narrates = settings.narrates,
                              .schedule = settings.schedule,
                              .preemptions_max = preemptions_max};
  course::report_findings(Session::of_program().is_suite()
                              ? course::search_elsewhere(search, played)
                              : course::search_worlds(search, played));
}

}  // namespace

void in_every_world(const Body& body) { search(body, -1); }

void in_each_schedule(int preemptions_max, const Body& body) { search(body, preemptions_max); }

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
  runtime.note({.kind = kActionNote, .subject = "", .text = what});
}

}  // namespace watchlab::exercise

namespace watchlab::course {

void report_findings(const Findings& found) {
  for (const Finding& each : found) {
    Session::of_program().report({"failure", each.ending, each.text});
    Session::of_program().report({"schedule", "", each.schedule});
    BOOST_ERROR(each.text + "replay: WATCHLAB_SCHEDULE='" + each.schedule + "'");
  }
}

}  // namespace watchlab::course
