#include "scenarios/report/narration.hpp"

#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/kernel/path_text.hpp"
#include "tests/scenarios/report/played.hpp"
#include "tests/support/texts.hpp"

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
  BOOST_TEST(says(text, "calls handler: add: other"), text);
  BOOST_TEST(!says(text, "BOOKMARK"), text);
}

/// What came first breaks the story, and much came after it.
BOOST_AUTO_TEST_CASE(the_entry_that_breaks_an_expectation_is_among_the_rows_and_is_the_last) {
  const std::string rest =
      "script: [{create: demo}, {at: 1s, create: b}, {at: 2s, create: c}, {at: 3s, create: d}]\n";
  for (const std::string expectation :
       {"handler: {never: [add: demo]}", "handler: {exactly: [add: b]}",
        "deltas: {in_any_order: [{Added: b}, {Added: c}, {Added: d}]}", "requests: {never: [LIST]}",
        "requests: {never: [WATCH]}"}) {
    const Parsed parsed = parse_scenario(
        "apiVersion: watchlab/v1\nname: early\nstory: s\nclients: [{name: x, kind: informer}]\n" +
        rest + "expect: [{" + expectation + "}]\n");
    BOOST_TEST_REQUIRE(parsed.scenario.has_value(), expectation);
    const Played played = run_scenario(*parsed.scenario);
    BOOST_TEST_REQUIRE(!played.held(), expectation);
    const std::string text = narrate(*parsed.scenario, played.result, 3);
    BOOST_TEST(says(text, " until the violation shows, at step "), expectation << text);
    const std::string about = expectation.starts_with("requests") ? "x sends "
                              : expectation.starts_with("deltas") ? "x pops default/demo"
                                                                  : "calls handler: add: demo";
    BOOST_TEST(says(text, about), expectation << text);
    BOOST_TEST(!says(text, "default/b"), expectation << text);
  }
}

namespace {

/// An expectation that one entry of a run breaks, and what a row must have that shows the entry.
struct Forbidden {
  sim::Expectation expectation;
  std::vector<std::string> shown;
};

template <typename Pattern>
sim::Expectation never(const std::string& client, Pattern pattern) {
  return {
      .of = client,
      .layer = sim::Expected<Pattern>{.mode = sim::Mode::Never, .entries = {std::move(pattern)}}};
}

sim::ObjectPattern pattern_of(const api::Object& object) {
  sim::ObjectPattern pattern{.name = object.metadata.name,
                             .namespace_ = object.metadata.namespace_};
  pattern.state.rv = object.metadata.resource_version;
  return pattern;
}

/// The first, the last, and one between.
template <typename Entry>
std::vector<Entry> some_of(const std::vector<Entry>& all) {
  std::vector<Entry> some;
  for (const std::size_t i : std::set<std::size_t>{0, all.size() / 2, all.size() - 1}) {
    if (i < all.size()) {
      some.push_back(all[i]);
    }
  }
  return some;
}

/// Entries of each layer of a client, each forbidden.
std::vector<Forbidden> forbidden_of(const sim::Record& record, const std::string& client) {
  std::vector<Forbidden> all;
  for (const sim::RequestRecord& each : some_of(sent_by(record, client))) {
    sim::RequestPattern pattern{.verb = each.verb};
    const std::string name = each.key.substr(each.key.rfind('/') + 1);
    if (!is_about_a_collection(each.verb)) {
      pattern.name = name;
    }
    all.push_back({never(client, pattern), {std::string(to_string(each.verb)), name}});
  }
  for (const sim::ServedRecord& each : some_of(served_to(record, client))) {
    const bool is_listed = each.type == sim::ServedType::Listed;
    all.push_back(
        {never(client, sim::ServedPattern{.type = each.type, .object = pattern_of(*each.object)}),
         {each.object->metadata.name,
          is_listed ? "listed: " : "rv=" + each.object->metadata.resource_version}});
  }
  std::vector<sim::DeltaRecord> deltas;
  std::ranges::copy_if(
      record.deltas, std::back_inserter(deltas),
      [&](const sim::DeltaRecord& each) { return each.client == client && each.object; });
  for (const sim::DeltaRecord& each : some_of(deltas)) {
    all.push_back(
        {never(client, sim::DeltaPattern{.type = each.type, .object = pattern_of(*each.object)}),
         {"pops ", each.object->metadata.name}});
  }
  for (const api::ObjectPtr& each : some_of(record.stores.at(client))) {
    all.push_back(
        {{.of = client,
          .layer = sim::ExpectedStore{.mode = sim::Mode::Never, .entries = {pattern_of(*each)}}},
         {each->metadata.name}});
  }
  for (const api::ObjectPtr& each : some_of(held_at_the_end(record, "ConfigMap"))) {
    all.push_back(
        {{.layer = sim::ExpectedObjects{.mode = sim::Mode::Never, .entries = {pattern_of(*each)}}},
         {"The server writes", each->metadata.name}});
  }
  return all;
}

std::string marked_rows(const std::string& text) {
  std::string marked;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    marked += line.starts_with("▶") ? line + "\n" : "";
  }
  return marked;
}

}  // namespace

/// Whatever a verdict names stands among the rows, with a mark, however much came after it.
BOOST_DATA_TEST_CASE(each_entry_that_a_verdict_names_has_a_marked_row,
                     boost::unit_test::data::make({"resized_twice", "password_made_twice",
                                                   "scaled_down_after_asking", "missed_delete",
                                                   "resync_of_each_handler", "nodes_and_widgets",
                                                   "list_comes_as_a_stream", "torn_chunk"}),
                     name) {
  Scenario scenario = scenario_named(name);
  const SeenRun whole =
      see_run(scenario, run_scenario(scenario).result.schedule, Scope::StoredOrder);
  BOOST_TEST_REQUIRE(whole.record.has_value());
  std::size_t looked_at = 0;
  for (const sim::StoryClientOptions& client : scenario.clients) {
    for (Forbidden& each : forbidden_of(*whole.record, client.name)) {
      scenario.expectations = {std::move(each.expectation)};
      const Played played = run_scenario(scenario);
      BOOST_TEST_REQUIRE(!played.held());
      const std::string text = narrate(scenario, played.result, 3);
      const std::string marked = marked_rows(text);
      for (const std::string& part : each.shown) {
        BOOST_TEST(says(marked, part), played.result.failure->sentence << "\n" << text << part);
      }
      ++looked_at;
    }
  }
  BOOST_TEST(looked_at >= 5U);
}

BOOST_AUTO_TEST_CASE(what_is_missing_shows_when_the_story_ends) {
  const Parsed parsed = parse_scenario(
      "apiVersion: watchlab/v1\nname: late\nstory: s\nclients: [{name: x, kind: informer}]\n"
      "script: [{create: demo}]\nexpect: [{handler: {at_least: [delete: demo]}}]\n");
  BOOST_TEST_REQUIRE(parsed.scenario.has_value());
  const std::string text = narrate(*parsed.scenario, run_scenario(*parsed.scenario).result, 3);
  BOOST_TEST(says(text, "before the story ends"), text);
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

/// Two writes, the second of which is unexpected.
BOOST_AUTO_TEST_CASE(what_comes_before_the_entry_that_breaks_is_shown_and_what_was_seen_beside_it) {
  Parsed parsed = parse_scenario(
      "apiVersion: watchlab/v1\nname: twice\nstory: s\nclients: [{name: x, kind: informer}]\n"
      "script: [{after: 1s, create: one}, {after: 1s, create: two}]\n"
      "expect: [{objects: {exactly: [one]}}]\n");
  BOOST_TEST_REQUIRE(parsed.scenario.has_value());
  const std::string text = narrate(*parsed.scenario, run_scenario(*parsed.scenario).result, 6);
  const std::size_t breaks = text.find("▶");
  BOOST_TEST_REQUIRE(breaks != std::string::npos);
  BOOST_TEST(says(text.substr(breaks, text.find('\n', breaks) - breaks), "ADDED default/two"),
             text);
  const auto lines_before = std::ranges::count(text.substr(0, breaks), '\n');
  BOOST_TEST(lines_before == 3, text);  // the head, and two events
  BOOST_TEST(says(text.substr(0, breaks), "default/one"), text);
}

BOOST_AUTO_TEST_SUITE_END()
