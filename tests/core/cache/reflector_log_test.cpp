#include <boost/test/unit_test.hpp>

#include "core/runtime/thread_runtime.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/kernel/world.hpp"
#include "tests/core/cache/scripted_server.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(reflector_log_test)

namespace {

/// How loud the error is logged when no handler takes it.
std::string loudness_of(const api::Error& error) {
  std::string loudness = "not at all";
  runtime::ThreadRuntime runtime({.log = [&](runtime::LogLevel level, std::string_view) {
    switch (level) {
      case runtime::LogLevel::Debug:
        loudness = "debug";
        break;
      case runtime::LogLevel::Info:
        loudness = "info";
        break;
      case runtime::LogLevel::Warning:
        loudness = "warning";
        break;
      case runtime::LogLevel::Error:
        loudness = "error";
        break;
    }
  }});
  cache::log_watch_error(runtime, "v1, Kind=ConfigMap", error);
  return loudness;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_error_is_logged_as_loud_as_it_is_unusual) {
  BOOST_TEST(loudness_of(error_of_kind(api::ErrorKind::Eof)) == "not at all");
  BOOST_TEST(loudness_of(status_error(api::StatusReason::Expired)) == "debug");
  BOOST_TEST(loudness_of(status_error(api::StatusReason::Gone)) == "debug");
  BOOST_TEST(loudness_of(error_of_kind(api::ErrorKind::UnexpectedEof)) == "info");
  BOOST_TEST(loudness_of(refused()) == "error");
}

// Mirrors TestInitialEventsEndBookmarkTicker. An ordinary watch has no mark to wait for.
BOOST_AUTO_TEST_CASE(a_mark_that_is_late_is_logged_every_ten_seconds) {
  const auto lines = [](const std::vector<watch::Event>& events, runtime::Duration later,
                        bool streams = true) {
    sim::World world({.record = true});
    sim::FifoStrategy strategy;
    runtime::TimePoint start;
    const sim::RunResult result = world.run(strategy, [&](runtime::Runtime& runtime) {
      start = runtime.now();
      ReflectorStage stage(runtime);
      stage.options.streams_lists = streams;
      stage.options.name = "pods";
      stage.server->answer_list(listing("1"));
      stage.server->stream(events);
      const runtime::Task sender = runtime::spawn(runtime, "sender", [&] {
        if (later > 0s) {
          runtime::sleep_for(runtime, later);
          stage.server->latest_stream().action(added("b", "4"));
        }
      });
      stage.run_for(35s);
      sender.join();
    });
    BOOST_TEST(!result.failure.has_value());
    std::string text;
    for (const sim::NoteRecord& note : result.notes) {
      if (note.kind == "log") {
        text += fmt::format("{}: {}\n", (note.at - start) / 1s, note.text);
      }
    }
    return text;
  };
  const std::string late = ": pods: the end of a streamed list is not marked yet; ";
  BOOST_TEST(lines({}, 0s) == "10" + late + "no event came in 10 s\n20" + late +
                                  "no event came in 20 s\n30" + late + "no event came in 30 s\n");
  BOOST_TEST(lines({added("a", "3")}, 0s) == "10" + late + "its last event came 10 s ago\n20" +
                                                 late + "its last event came 20 s ago\n30" + late +
                                                 "its last event came 30 s ago\n");
  // The event at 11.5 s makes the look at 20 s say nothing, and counts anew.
  BOOST_TEST(lines({}, 11'500ms) ==
             "10" + late + "no event came in 10 s\n30" + late + "its last event came 18.5 s ago\n");
  BOOST_TEST(lines({mark("4")}, 0s) == "");
  BOOST_TEST(lines({added("a", "3")}, 0s, false) == "");
}

// Mirrors TestReflectorHandleWatchResultChanClosedBefore and …After, whose error has the name.
BOOST_AUTO_TEST_CASE(a_very_short_watch_is_logged_with_its_reflectors_name) {
  for (const runtime::Duration life : {0ms, 10ms}) {
    sim::World world({.record = true});
    sim::FifoStrategy strategy;
    const sim::RunResult result = world.run(strategy, [&](runtime::Runtime& runtime) {
      ReflectorStage stage(runtime);
      stage.options.name = "pods";
      stage.server->answer_list(listing("10"));
      stage.server->stream_for(life);
      stage.run_for(500ms);
    });
    BOOST_TEST(!result.failure.has_value());
    std::vector<std::string> lines;
    for (const sim::NoteRecord& note : result.notes) {
      if (note.kind == "log") {
        lines.push_back(note.text);
      }
    }
    BOOST_REQUIRE(lines.size() == 1U);
    BOOST_TEST(lines.front() ==
               "pods: watch ended with: very short watch: closed in less than a second without any "
               "event");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
