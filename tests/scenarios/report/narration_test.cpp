#include "scenarios/report/narration.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>

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

BOOST_AUTO_TEST_SUITE_END()
