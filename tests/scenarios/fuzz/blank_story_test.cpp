#include "scenarios/fuzz/blank_story.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <string>
#include <vector>

#include "scenarios/language/parse.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(blank_story_test)

namespace {

std::string story_with(const std::string& script, const std::string& rest = "") {
  return "apiVersion: watchlab/v1\nname: blank\nstory: Good weather.\n"
         "server: {objects: [web, db]}\n"
         "clients: [{name: program, kind: go, run: [/bin/true]}]\n"
         "script: [" +
         script + "]\nuntil: 5m\n" + rest;
}

constexpr const char* kWrites =
    "{at: 1s, update: {name: web, data: {a: b}}}, {at: 2s, delete: db}, {at: 3s, create: late}";
constexpr const char* kExpects = "expect: [{objects: {exactly: [web, late]}}]\n";
constexpr const char* kExpectsLess = "expect: [{objects: {exactly: [web]}}]\n";

Scenario blank() { return parse_scenario(story_with(kWrites, kExpects)).scenario.value(); }

std::vector<Action> actions_of(const Scenario& story) {
  std::vector<Action> all;
  for (const Step& step : story.script) {
    all.insert(all.end(), step.actions.begin(), step.actions.end());
  }
  return all;
}

template <typename Kind>
std::size_t count_of(const std::vector<Action>& actions) {
  return static_cast<std::size_t>(std::ranges::count_if(
      actions, [](const Action& action) { return std::holds_alternative<Kind>(action); }));
}

constexpr std::uint64_t kSeeds = 300;

}  // namespace

BOOST_AUTO_TEST_CASE(the_seed_decides_everything) {
  BOOST_TEST(scenario_text(story_around(blank(), 5)) == scenario_text(story_around(blank(), 5)));
  BOOST_TEST(scenario_text(story_around(blank(), 5)) != scenario_text(story_around(blank(), 6)));
}

BOOST_AUTO_TEST_CASE(each_write_comes_once_and_in_its_order) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    std::vector<Action> writes = actions_of(story_around(blank(), seed));
    std::erase_if(writes, [](const Action& action) {
      return object_of(action) == nullptr || std::holds_alternative<PatchAction>(action);
    });
    BOOST_TEST_REQUIRE(writes.size() == 3U);
    BOOST_TEST((std::holds_alternative<UpdateAction>(writes[0]) &&
                std::holds_alternative<DeleteAction>(writes[1]) &&
                std::holds_alternative<CreateAction>(writes[2])));
  }
}

BOOST_AUTO_TEST_CASE(what_is_drawn_is_over_at_the_end) {
  std::size_t crashes = 0;
  std::size_t faults = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Scenario story = story_around(blank(), seed);
    const std::vector<Action> actions = actions_of(story);
    BOOST_TEST(asks_the_same(story, story));
    BOOST_TEST(count_of<CrashAction>(actions) == count_of<StartAction>(actions));
    crashes += count_of<CrashAction>(actions);
    faults += count_of<FaultAction>(actions);
    std::vector<std::string> lasting;
    for (const Action& action : actions) {
      if (const auto* const fault = std::get_if<FaultAction>(&action); fault != nullptr) {
        lasting.push_back(fault->fault.as);
      } else if (const auto* const heal = std::get_if<HealAction>(&action); heal != nullptr) {
        std::erase(lasting, heal->name);
      }
    }
    std::erase(lasting, "");
    BOOST_TEST(lasting.empty(), scenario_text(story));
  }
  BOOST_TEST(crashes > kSeeds / 4);
  BOOST_TEST(faults > kSeeds);
}

BOOST_AUTO_TEST_CASE(a_drawn_story_can_be_read_again) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Scenario story = story_around(blank(), seed);
    const Parsed read = parse_scenario(scenario_text(story));
    BOOST_TEST_REQUIRE(read.problems.empty(), scenario_text(story));
    BOOST_TEST(asks_the_same(*read.scenario, story), scenario_text(story));
  }
}

BOOST_AUTO_TEST_CASE(a_smaller_story_must_leave_the_same_behind) {
  const Scenario story = blank();
  const auto still_asks = [&](const std::string& script) {
    Scenario smaller = parse_scenario(story_with(script, kExpects)).scenario.value();
    return asks_the_same(smaller, story);
  };
  BOOST_TEST(still_asks(kWrites));
  BOOST_TEST(
      still_asks("{atomic: [{update: {name: web, data: {a: b}}}, {delete: db}, {create: late}]}"));
  BOOST_TEST(still_asks(std::string(kWrites) + ", {crash: program}, {start: program}"));
  BOOST_TEST(still_asks(
      std::string("{patch: {name: web, merge: {metadata: {annotations: {turn: \"1\"}}}}}, ") +
      kWrites));
  BOOST_TEST(!still_asks("{update: {name: web, data: {a: b}}}, {create: late}"));
  BOOST_TEST(!still_asks("{update: {name: web, data: {a: c}}}, {delete: db}, {create: late}"));
  BOOST_TEST(!still_asks(std::string(kWrites) + ", {crash: program}"));
}

BOOST_AUTO_TEST_CASE(what_is_no_blank_story_is_said) {
  const auto problem = [](const std::string& text) {
    const Parsed parsed = parse_scenario(text);
    BOOST_TEST_REQUIRE(parsed.problems.empty());
    return blank_problem(*parsed.scenario);
  };
  BOOST_TEST(problem(story_with(kWrites, kExpects)) == "");
  BOOST_TEST(problem(story_with(kWrites)) == "it expects nothing, so that nothing can be found");
  BOOST_TEST(problem(story_with("{at: 1s, fault: cut_watch}", kExpectsLess))
                 .find("does something else, and a blank story only writes") != std::string::npos);
  BOOST_TEST(problem(story_with("{when: {watching: program}, create: late}", kExpects))
                 .find("has a condition, and a blank story only writes") != std::string::npos);
  BOOST_TEST(problem("apiVersion: watchlab/v1\nname: blank\nstory: x\n"
                     "clients: [{name: one, kind: informer}]\n"
                     "expect: [{store: {exactly: []}}]\n") == "no client is of the kind go");
}

BOOST_AUTO_TEST_CASE(labels_that_mean_nothing_come_and_go_unless_some_are_expected) {
  const auto touches_of = [](const std::string& expects) {
    std::size_t touches = 0;
    const Scenario story = parse_scenario(story_with(kWrites, expects)).scenario.value();
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      for (const Action& action : actions_of(story_around(story, seed))) {
        const auto* patch = std::get_if<PatchAction>(&action);
        touches += patch != nullptr && patch->patch.merge.find("labels") != std::string::npos;
      }
    }
    return touches;
  };
  BOOST_TEST(touches_of(kExpects) > kSeeds / 4);
  BOOST_TEST(touches_of("expect: [{objects: {exactly: [{name: web, labels: {}}, late]}}]\n") == 0U);
}

BOOST_AUTO_TEST_CASE(a_tenth_has_an_outage_that_is_longer_than_a_lease) {
  std::size_t outages = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    for (const Step& step : story_around(blank(), seed).script) {
      const auto* heal = std::get_if<HealAction>(&step.actions.front());
      outages += heal != nullptr && heal->name == "outage" && step.after > 15s;
    }
  }
  BOOST_TEST(outages == kSeeds / 10);
}

BOOST_AUTO_TEST_SUITE_END()
