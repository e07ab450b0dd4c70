#include "scenarios/language/runner.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <string>

#include "scenarios/language/catalogue.hpp"
#include "sim/explore/explore.hpp"
#include "tests/support/texts.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;
using watchlab::tests::says;

BOOST_AUTO_TEST_SUITE(runner_test)

namespace {

Scenario scenario(const std::string& text) {
  Parsed parsed = parse_scenario("apiVersion: watchlab/v1\nname: story\nstory: s\n" + text);
  for (const Problem& problem : parsed.problems) {
    BOOST_TEST_MESSAGE(describe("story", problem));
  }
  return parsed.scenario.value();
}

const std::string one_informer = "clients: [{name: informer, kind: informer}]\n";

std::string sentence_of_failure(const Scenario& given) {
  const Played played = run_scenario(given);
  return played.result.failure ? played.result.failure->sentence : "";
}

/// Why a text is refused as a schedule; "" when it is not.
std::string refusal(const Scenario& given, const std::string& text) {
  try {
    (void)schedule_for(given, text);
    return "";
  } catch (const sim::InvalidSchedule& failure) {
    return failure.what();
  }
}

/// The faults that never fired, a line each, when the script has these steps.
std::string unfired(const std::string& steps, const std::string& before = one_informer) {
  std::string lines;
  for (const std::string& line :
       run_scenario(scenario(before + "script:\n" + steps)).unfired_faults) {
    lines += line + "\n";
  }
  return lines;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_shipped_scenario_holds_and_all_its_faults_fire) {
  for (const CatalogueEntry& entry : load_catalogue({"scenarios"})) {
    const Played played = run_scenario(entry.parsed.scenario.value());
    BOOST_TEST(played.held(), entry.path);
    BOOST_TEST(played.unfired_faults.empty(), entry.path);
  }
}

BOOST_AUTO_TEST_CASE(a_fault_that_touches_nothing_has_not_fired) {
  BOOST_TEST(unfired("  - {at: 5s, fault: {fail_list: {answer: too_many, times: 2}}}\n") ==
             "story:6: the fault 'fail_list' never fired\n");
  BOOST_TEST(unfired("  - {at: 5s, fault: {fail_list: {answer: too_many, as: busy}}}\n"
                     "  - {after: 1s, heal: busy}\n") ==
             "story:6: the fault 'fail_list' (busy) never fired\n");
  BOOST_TEST(unfired("  - {at: 5s, create: demo}\n"
                     "  - atomic: [{create: demo2}, {fault: {delay: {by: 1s, verb: LIST}}}]\n") ==
             "story:7: the fault 'delay' never fired\n");
  BOOST_TEST(unfired("  - {at: 5s, fault: cut_watch}\n",
                     "clients: [{name: informer, kind: "
                     "informer, starts: later}]\n") != "");
}

BOOST_AUTO_TEST_CASE(a_fault_that_touches_something_has_fired) {
  BOOST_TEST(unfired("  - {fault: {fail_list: {answer: too_many, times: 2}}}\n") == "");
  BOOST_TEST(unfired("  - {fault: {fail_list: {answer: too_many, as: busy}}}\n"
                     "  - {at: 10s, heal: busy}\n") == "");
  BOOST_TEST(unfired("  - {at: 5s, fault: cut_watch}\n") == "");
  // What changes the servers has changed them, and what is left to the schedule need not act.
  BOOST_TEST(unfired("  - {at: 5s, fault: compact_store}\n") == "");
  BOOST_TEST(unfired("  - {at: 5s, fault: {cut_watch: {choice: true}}}\n") == "");
}

BOOST_AUTO_TEST_CASE(of_two_faults_with_one_name_each_is_looked_at) {
  BOOST_TEST(unfired("  - {fault: {fail_list: {answer: refused, times: 1, as: it}}}\n"
                     "  - {at: 5s, fault: {delay: {by: 1s, verb: LIST, as: it}}}\n"
                     "  - {at: 9s, heal: it}\n") ==
             "story:7: the fault 'delay' (it) never fired\n");
}

BOOST_AUTO_TEST_CASE(every_shipped_scenario_holds_under_a_hundred_schedules) {
  for (const CatalogueEntry& entry : load_catalogue({"scenarios"})) {
    const Scenario& given = entry.parsed.scenario.value();
    const sim::ExploreResult result = sim::explore({.schedules_max = 100, .scenario = given.hash},
                                                   body_of(given, Scope::AnyOrder));
    BOOST_TEST(!result.failure.has_value(),
               entry.path << ": " << (result.failure ? result.failure->sentence : ""));
  }
}

BOOST_AUTO_TEST_CASE(many_objects_are_no_livelock) {
  for (const std::string kind : {"informer", "shared", "program", "controller", "fifo", "store"}) {
    const Played played = run_scenario(
        scenario("server: {bulk_objects: 3000}\nclients: [{name: x, kind: " + kind + "}]\n"));
    BOOST_TEST(played.held(), kind);
  }
}

BOOST_AUTO_TEST_CASE(a_server_is_filled_in_no_time_with_however_many_objects) {
  const auto ended = [](const std::string& server) {
    const Played played =
        run_scenario(scenario(server + "clients: [{name: x, kind: informer, watches: Pod}]\n"
                                       "script: [{at: 1s, create: demo}]\n"));
    BOOST_TEST(played.held(), server);
    return std::pair(played.result.ended - played.result.started, played.result.steps);
  };
  const auto alone = ended("");
  for (const char* count : {"10100", "10500", "20000"}) {
    BOOST_TEST((ended(std::string("server: {bulk_objects: ") + count + "}\n") == alone), count);
  }
}

BOOST_AUTO_TEST_CASE(a_broken_expectation_is_reported_with_its_line) {
  const std::string sentence = sentence_of_failure(
      scenario(one_informer + "script: [{create: demo}]\nexpect:\n  - store: {exactly: []}\n"));
  BOOST_TEST(says(sentence, "story:7: store: 'demo"), sentence);
  BOOST_TEST(says(sentence, "was not expected"), sentence);
}

BOOST_AUTO_TEST_CASE(a_write_that_the_server_refuses_is_reported_with_its_line) {
  const std::string sentence = sentence_of_failure(
      scenario(one_informer + "server: {objects: [a]}\nscript: [{patch: {name: a, "
                              "json: [{op: remove, path: /data/b}]}}]\n"));
  BOOST_TEST(says(sentence, "story:6: the server refused to PATCH a"), sentence);
}

BOOST_AUTO_TEST_CASE(a_condition_that_never_comes_is_reported) {
  const std::string sentence = sentence_of_failure(
      scenario(one_informer + "within: 5m\nscript: [{when: {handled: {count: 1}}, wait: 1s}]\n"));
  BOOST_TEST(says(sentence, "the step waits for 1 handler calls, which has not come within 300s"),
             sentence);
  BOOST_TEST(says(
      sentence_of_failure(scenario(one_informer + "within: 5m\nuntil: {handled: {count: 1}}\n")),
      "story:6: the story waits for 1 handler calls, which has not come within 300s"));
}

BOOST_AUTO_TEST_CASE(a_first_list_that_never_comes_is_reported_too) {
  const std::string sentence = sentence_of_failure(
      scenario(one_informer + "script:\n  - {at: 0s, fault: refuse_connections}\n"
                              "  - {when: {synced: informer}, create: demo}\n"));
  BOOST_TEST(says(sentence, "story:7: the step waits for"), sentence);
  BOOST_TEST(says(sentence, "which has not come within 3600s"), sentence);
}

BOOST_AUTO_TEST_CASE(a_story_that_is_never_quiet_is_reported) {
  const std::string sentence =
      sentence_of_failure(scenario(one_informer + "script: [{fault: refuse_connections}]\n"));
  BOOST_TEST(says(sentence,
                  "the story waits for quiet, which has not come within 3600s; the "
                  "last request was LIST rv \"0\" after "),
             sentence);
}

BOOST_AUTO_TEST_CASE(an_expectation_that_depends_on_the_order_is_not_explored) {
  const Scenario given =
      scenario(one_informer + "expect: [{depends_on_order: always wrong, store: {never: []}},\n" +
               "         {depends_on_order: wrong, requests: {exactly: []}}]\n");
  BOOST_TEST(!run_scenario(given).held());
  const sim::ExploreResult result =
      sim::explore({.schedules_max = 3, .scenario = given.hash}, body_of(given, Scope::AnyOrder));
  BOOST_TEST(!result.failure.has_value());
}

BOOST_AUTO_TEST_CASE(a_failing_run_replays_to_the_same_failure) {
  const Scenario given = scenario(one_informer + "expect: [{requests: {exactly: []}}]\n");
  const sim::ExploreResult found =
      sim::explore({.schedules_max = 5, .scenario = given.hash}, body_of(given, Scope::AnyOrder));
  BOOST_REQUIRE(found.failure.has_value());
  const sim::Schedule schedule = schedule_for(given, found.failure->schedule);
  const Played again = replay_scenario(given, schedule, false);
  BOOST_REQUIRE(again.result.failure.has_value());
  BOOST_TEST(again.result.failure->sentence == found.failure->sentence);
}

BOOST_AUTO_TEST_CASE(a_story_with_a_schedule_of_its_own_runs_under_it) {
  Scenario given = scenario(one_informer + "script: [{create: demo}]\n");
  const Played undisturbed = run_scenario(given);
  const sim::ExploreResult found = sim::explore(
      {.seed = 7, .schedules_max = 1, .scenario = given.hash}, [&](runtime::Runtime& runtime) {
        play(given, Scope::AnyOrder, runtime);
        throw std::runtime_error("this schedule is wanted");
      });
  given.schedule = found.failure.value().schedule;
  const Played disturbed = run_scenario(given);
  BOOST_TEST(disturbed.held());
  BOOST_TEST(disturbed.result.digest != undisturbed.result.digest);
}

BOOST_AUTO_TEST_CASE(a_lagging_replica_shows_the_past) {
  const Scenario given = scenario(
      "server: {replicas: [{}, {lag: 30s}]}\n"
      "clients: [{name: fresh, kind: informer}, {name: stale, kind: informer, replica: 1}]\n"
      "script: [{at: 60s, create: demo}]\nuntil: 70s\n"
      "expect: [{of: fresh, store: {exactly: [demo]}}, {of: stale, store: {exactly: []}}]\n");
  BOOST_TEST(sentence_of_failure(given) == "");
}

BOOST_AUTO_TEST_CASE(a_schedule_of_another_scenario_is_refused) {
  const Scenario one = scenario(one_informer);
  const Scenario other = scenario(one_informer + "script: [{create: demo}]\n");
  const std::string schedule = run_scenario(one).result.schedule;
  BOOST_TEST(refusal(one, schedule) == "");
  BOOST_TEST(says(refusal(other, schedule), "made for another scenario"));
}

BOOST_AUTO_TEST_CASE(a_schedule_of_weak_memory_is_refused) {
  const Scenario given = scenario(one_informer);
  sim::Schedule schedule = sim::Schedule::parse(run_scenario(given).result.schedule);
  schedule.memory = sim::Memory::ReleaseAcquire;
  BOOST_TEST(says(refusal(given, schedule.to_string()), "weak memory (+ra), which no story has"));
}

BOOST_AUTO_TEST_CASE(a_schedule_that_is_cut_off_or_of_another_version_is_refused) {
  const Scenario given = scenario(one_informer);
  const std::string schedule = run_scenario(given).result.schedule;
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    BOOST_TEST(!refusal(given, schedule.substr(0, i)).empty(), schedule.substr(0, i));
  }
  BOOST_TEST(!refusal(given, "w2" + schedule.substr(2)).empty());
}

BOOST_AUTO_TEST_CASE(no_text_crashes_as_a_schedule) {
  const Scenario given = scenario(one_informer);
  const std::string schedule = run_scenario(given).result.schedule;
  std::mt19937_64 engine(1);
  for (int i = 0; i < 10'000; ++i) {
    std::string text = i % 2 == 0 ? schedule : std::string(engine() % 80, 'w');
    for (std::size_t change = 0; change <= engine() % 5 && !text.empty(); ++change) {
      text[engine() % text.size()] = static_cast<char>(engine() % 256);
    }
    if (refusal(given, text).empty()) {
      (void)replay_scenario(given, schedule_for(given, text), true);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
