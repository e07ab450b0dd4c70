#include <boost/test/unit_test.hpp>

#include "scenarios/language/catalogue.hpp"
#include "scenarios/language/parse.hpp"
#include "scenarios/language/runner.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(transports_test)

namespace {

const std::string kStory =
    "apiVersion: watchlab/v1\nname: a\nstory: s\nserver:\n  objects: [{name: demo}]\n"
    "clients: [{name: informer, kind: informer}]\n";

Scenario scenario_with(const std::string& more) {
  Parsed parsed = parse_scenario(kStory + more);
  BOOST_REQUIRE(parsed.scenario.has_value());
  return *parsed.scenario;
}

}  // namespace

BOOST_AUTO_TEST_CASE(clients_observe_the_same_on_both_transports_in_every_scenario) {
  std::size_t compared = 0;
  for (const CatalogueEntry& entry : load_catalogue({"scenarios"})) {
    BOOST_REQUIRE_MESSAGE(entry.parsed.scenario.has_value(), entry.path);
    if (plays_on_both(*entry.parsed.scenario)) {
      ++compared;
      for (const std::string& difference : compare_transports(*entry.parsed.scenario)) {
        BOOST_ERROR(entry.path << ": " << difference);
      }
    }
  }
  BOOST_TEST(compared > 50);
}

BOOST_AUTO_TEST_CASE(a_difference_names_who_saw_what_where) {
  sim::Record direct;
  sim::Record wire;
  direct.calls.push_back(
      {.client = "a", .handler = "h", .type = sim::CallType::Add, .key = "default/x"});
  direct.calls.back().object = std::make_shared<const api::Object>();
  wire.requests.push_back({.client = "a", .verb = sim::Verb::List});
  const std::vector<std::string> found = differences(direct, wire);
  BOOST_REQUIRE(found.size() == 2);
  BOOST_TEST(found[0].starts_with("calls of h of a, number 1: direct: "));
  BOOST_TEST(found[0].ends_with("wire: nothing"));
  BOOST_TEST(found[1].starts_with("requests of a, number 1: direct: nothing; wire: LIST"));
  BOOST_TEST(differences(direct, direct).empty());
}

BOOST_AUTO_TEST_CASE(a_scenario_on_the_wire_is_another_run_of_the_same_story) {
  const Scenario direct = scenario_with("");
  const Scenario wire = over(sim::Transport::Wire, direct);
  BOOST_TEST(wire.hash != direct.hash);
  const Played played = run_scenario(wire);
  BOOST_TEST(played.held());
  BOOST_TEST(played.result.steps > run_scenario(direct).result.steps);
}

BOOST_AUTO_TEST_CASE(the_key_says_which_transport_a_scenario_needs) {
  BOOST_TEST(plays_on_both(scenario_with("")));
  const Scenario wire = scenario_with("transport: wire\n");
  BOOST_TEST(!plays_on_both(wire));
  BOOST_TEST((wire.transport == sim::Transport::Wire));
  BOOST_TEST(scenario_with("transport: direct\n").hash == scenario_with("").hash);
  BOOST_TEST(wire.hash != scenario_with("").hash);
}

BOOST_AUTO_TEST_CASE(a_schedule_knows_which_transport_it_was_made_on) {
  const Scenario direct = scenario_with("");
  const Scenario wire = over(sim::Transport::Wire, direct);
  const std::string on_wire = run_scenario(wire).result.schedule;
  const std::string on_direct = run_scenario(direct).result.schedule;
  for (const Scenario& scenario : {direct, wire}) {
    BOOST_TEST(as_scheduled(scenario, on_wire).hash == wire.hash);
    BOOST_TEST(as_scheduled(scenario, on_direct).hash == direct.hash);
    BOOST_TEST(as_scheduled(scenario, "w1:none").hash == scenario.hash);
  }
  const Played again = replay_scenario(as_scheduled(direct, on_wire),
                                       schedule_for(as_scheduled(direct, on_wire), on_wire), false);
  BOOST_TEST(again.held());
  BOOST_TEST(again.result.digest == run_scenario(wire).result.digest);
}

BOOST_AUTO_TEST_CASE(a_fault_about_bytes_without_bytes_is_a_mistake) {
  const std::string script = "script:\n  - {at: 1s, fault: omit_newline}\n";
  BOOST_TEST(!parse_scenario(kStory + script).scenario.has_value());
  BOOST_TEST(parse_scenario(kStory + "transport: wire\n" + script).scenario.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
