#include "scenarios/report/narration.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/kernel/path_text.hpp"
#include "tests/scenarios/report/played.hpp"

using namespace watchlab;
using namespace watchlab::tests;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(narration_test)

namespace {

/// A story of two objects whose expectation about one of them is wrong.
Scenario broken_story() {
  const Parsed parsed = parse_scenario(
      "apiVersion: watchlab/v1\nname: broken\nstory: s\nclients: [{name: x, kind: informer}]\n"
      "script: [{create: demo}, {after: 1s, create: other}]\n"
      "expect: [{store: {exactly: [other]}}]\n");
  BOOST_TEST_REQUIRE(parsed.scenario.has_value());
  return *parsed.scenario;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_failure_is_narrated_by_what_happened_before_the_clients_were_stopped) {
  const Scenario scenario = broken_story();
  const Played played = run_scenario(scenario);
  BOOST_TEST_REQUIRE(!played.held());
  const std::string text = narrate(scenario, played.result, 100);
  BOOST_TEST(says(text, "before the story ends"), text);
  BOOST_TEST(says(text, "The server writes revision"), text);
  BOOST_TEST(says(text, "Cache of x: "), text);
  BOOST_TEST(!says(text, "mutex"), text);
  BOOST_TEST(!says(text, "%20"), text);
  const std::size_t ended =
      see_run(scenario, played.result.schedule, Scope::StoredOrder).story_end();
  BOOST_TEST(failure_step(scenario, played.result) == ended);
  BOOST_TEST(ended < played.result.steps);
  const std::size_t last_row = text.rfind('\n', text.size() - 2) + 1;
  BOOST_TEST(std::stoul(text.substr(last_row)) <= ended, text);
}

BOOST_AUTO_TEST_CASE(a_narration_has_so_many_rows_at_most) {
  const Scenario scenario = broken_story();
  const std::string text = narrate(scenario, run_scenario(scenario).result, 3);
  BOOST_TEST(text.starts_with("3 of "), text);
  BOOST_TEST(std::ranges::count(text, '\n') == 4, text);
}

BOOST_AUTO_TEST_CASE(what_is_about_objects_goes_before_the_rest) {
  const Scenario scenario = broken_story();
  const std::string text = narrate(scenario, run_scenario(scenario).result, 3);
  BOOST_TEST(says(text, "calls handler: add: demo"), text);
  BOOST_TEST(!says(text, "BOOKMARK"), text);
}

BOOST_AUTO_TEST_CASE(names_of_tasks_are_readable_and_other_texts_stay) {
  BOOST_TEST(sim::with_readable_tasks("which main/watch%20informer holds (a.cpp:1)") ==
             "which main/watch informer holds (a.cpp:1)");
  BOOST_TEST(sim::with_readable_tasks("main/x/@5timer, main/y#2") == "main/x/timer, main/y#2");
  BOOST_TEST(sim::with_readable_tasks("GET /a%20b domain/c%20d main/") ==
             "GET /a%20b domain/c%20d main/");
}

BOOST_AUTO_TEST_CASE(a_run_that_holds_and_one_without_a_story_are_not_narrated) {
  const Scenario holds = scenario_named("missed_delete");
  BOOST_TEST(narrate(holds, run_scenario(holds).result, 10).empty());
  const Scenario program = scenario_named("two_runs_at_once");
  BOOST_TEST(narrate(program, run_scenario(program).result, 10).empty());
}

/// An expectation that is looked at when the story is over, and an invariant before.
BOOST_AUTO_TEST_CASE(a_failure_is_marked_at_its_own_step_with_its_own_words) {
  Scenario scenario;
  scenario.path = "x.yaml";
  SeenRun seen;
  seen.witness.result.steps = 90;
  seen.witness.result.failure = sim::Failure{
      .kind = "violation",
      .sentence = "x.yaml:20: store: 'demo' was not expected\nx.yaml:1: C4 deletions_arrive: lost"};
  const FailureMark at_the_end = failure_mark(scenario, seen);
  BOOST_TEST(at_the_end.step == 90U);
  BOOST_TEST(at_the_end.text == "violation: store: 'demo' was not expected");
  seen.shown_at = {{"C4 deletions_arrive: lost", 40}, {"C1 calls_match: wrong", 60}};
  const FailureMark first = failure_mark(scenario, seen);
  BOOST_TEST(first.step == 40U);
  BOOST_TEST(first.text == "violation: C4 deletions_arrive: lost");
  BOOST_TEST(failure_mark(scenario, {}).text == "");
}

BOOST_AUTO_TEST_CASE(steps_that_decide_stand_between_what_happened) {
  const Scenario scenario = broken_story();
  const Played played = run_scenario(scenario);
  sim::Explanation found;
  found.witness = see_run(scenario, played.result.schedule, Scope::StoredOrder).witness;
  sim::CriticalPair pair;
  pair.first = found.witness.steps[19].done;
  pair.step = 19;
  found.pair = pair;
  const std::string text = narrate(scenario, played.result, 100, &found);
  BOOST_TEST(says(text, "\n      20 "), text);
  BOOST_TEST(says(text, "◆ this decides: "), text);
  BOOST_TEST(text.find("◆") < text.find("Cache of x: "), text);
}

/// Of a client outside a story does not check what it asks, whatever that looks like.
BOOST_AUTO_TEST_CASE(what_the_story_did_not_complain_of_is_not_shown) {
  const Scenario scenario = broken_story();
  const Played played = run_scenario(scenario);
  SeenRun seen = see_run(scenario, played.result.schedule, Scope::StoredOrder);
  BOOST_TEST_REQUIRE(seen.record.has_value());
  sim::Record& record = *seen.record;
  record.stores.begin()->second.clear();
  const std::vector<std::string> broken = sim::broken_invariants(record, {});
  BOOST_TEST_REQUIRE(!broken.empty());
  BOOST_TEST(complaints_of(scenario, seen).empty());
  seen.witness.result.failure->sentence += "\nbroken.yaml:1: " + broken.front();
  BOOST_TEST((complaints_of(scenario, seen) == std::vector<std::string>{broken.front()}));
}

BOOST_AUTO_TEST_SUITE_END()
