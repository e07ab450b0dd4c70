#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <variant>

#include "scenarios/fuzz/story_generator.hpp"
#include "scenarios/fuzz/swarm_faults.hpp"
#include "scenarios/language/parse.hpp"
#include "sim/faults/fault_catalogue.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(swarm_story_test)

namespace {

constexpr std::uint64_t kMany = 300;

}  // namespace

BOOST_AUTO_TEST_CASE(a_seed_is_always_the_same_story) {
  BOOST_TEST(scenario_text(swarm_story(5)) == scenario_text(swarm_story(5)));
  BOOST_TEST(scenario_text(swarm_story(5)) != scenario_text(swarm_story(6)));
}

/// Draws in an order that a compiler may choose would make another story of it elsewhere.
BOOST_AUTO_TEST_CASE(a_seed_is_the_same_story_for_every_compiler) {
  std::string written;
  for (const Step& step : storm_story(2).script) {
    for (const Action& action : step.actions) {
      if (const sim::ObjectSketch* object = object_of(action); object != nullptr) {
        written += " " + object->namespace_ + "/" + object->name;
      }
    }
  }
  BOOST_TEST(
      written.starts_with(" default/cedar garden/birch garden/cedar default/apple default/apple"),
      written);
}

BOOST_AUTO_TEST_CASE(all_its_faults_are_legal) {
  const std::vector<sim::FaultEntry>& catalogue = sim::fault_catalogue();
  std::vector<std::string_view> names = wire_fault_names();
  for (const std::string_view name : swarm_fault_names()) {
    names.push_back(name);
  }
  for (const std::string_view name : names) {
    const auto entry = std::find_if(catalogue.begin(), catalogue.end(),
                                    [&](const sim::FaultEntry& each) { return each.name == name; });
    BOOST_REQUIRE_MESSAGE(entry != catalogue.end(), name);
    BOOST_TEST((entry->legality == sim::Legality::Legal), name);
  }
}

BOOST_AUTO_TEST_CASE(every_legal_fault_but_the_black_hole_is_drawn_by_some_story) {
  std::set<std::string> drawn;
  for (std::uint64_t seed = 1; seed <= kMany; ++seed) {
    for (const Step& step : swarm_story(seed).script) {
      for (const Action& action : step.actions) {
        if (const auto* fault = std::get_if<FaultAction>(&action)) {
          drawn.insert(fault->fault.name);
        }
      }
    }
  }
  for (const sim::FaultEntry& entry : sim::fault_catalogue()) {
    if (entry.legality == sim::Legality::Legal && entry.name != "black_hole") {
      BOOST_TEST(drawn.contains(std::string(entry.name)), entry.name);
    }
  }
}

BOOST_AUTO_TEST_CASE(faults_of_bytes_come_only_on_the_wire) {
  const std::vector<std::string_view> of_bytes = wire_fault_names();
  std::size_t on_the_wire = 0;
  for (std::uint64_t seed = 1; seed <= kMany; ++seed) {
    const Scenario story = swarm_story(seed);
    on_the_wire += story.transport == sim::Transport::Wire ? 1U : 0U;
    for (const Step& step : story.script) {
      for (const Action& action : step.actions) {
        const auto* fault = std::get_if<FaultAction>(&action);
        const bool is_of_bytes =
            fault != nullptr && std::count(of_bytes.begin(), of_bytes.end(), fault->fault.name) > 0;
        BOOST_TEST((!is_of_bytes || story.transport == sim::Transport::Wire), "story " << seed);
      }
    }
  }
  BOOST_TEST(on_the_wire > 0U);
}

BOOST_AUTO_TEST_CASE(every_lasting_fault_is_healed) {
  for (std::uint64_t seed = 1; seed <= kMany; ++seed) {
    std::set<std::string> lasting;
    for (const Step& step : swarm_story(seed).script) {
      for (const Action& action : step.actions) {
        if (const auto* fault = std::get_if<FaultAction>(&action)) {
          lasting.insert(fault->fault.as);
        } else if (const auto* heal = std::get_if<HealAction>(&action)) {
          lasting.erase(heal->name);
        }
      }
    }
    lasting.erase("");
    BOOST_TEST(lasting.empty(), "story " << seed);
  }
}

/// What indices hold grows and shrinks, so that a defect of theirs has something to show.
BOOST_AUTO_TEST_CASE(labels_of_objects_come_and_go) {
  std::size_t grown = 0;
  std::size_t lost = 0;
  for (std::uint64_t seed = 1; seed <= kMany; ++seed) {
    std::map<std::string, std::size_t> counts;
    for (const Step& step : swarm_story(seed).script) {
      for (const Action& action : step.actions) {
        if (const auto* update = std::get_if<UpdateAction>(&action)) {
          const std::size_t now = update->object.labels.size();
          BOOST_TEST(now <= 5U);  // with the colour
          const auto [before, is_first] = counts.try_emplace(update->object.name, now);
          grown += !is_first && now > before->second ? 1U : 0U;
          lost += !is_first && now < before->second ? 1U : 0U;
          before->second = now;
        }
      }
    }
  }
  BOOST_TEST(grown > kMany);
  BOOST_TEST(lost > kMany);
}

/// From the first seeds on, which are those that are played most.
BOOST_AUTO_TEST_CASE(a_tenth_of_the_stories_has_an_outage_over_a_lease) {
  std::size_t outages = 0;
  std::size_t in_storms = 0;
  for (std::uint64_t seed = 1; seed <= kMany; ++seed) {
    const Scenario story = swarm_story(seed);
    for (std::size_t i = 0; i < story.script.size(); ++i) {
      const auto* fault = std::get_if<FaultAction>(&story.script[i].actions.front());
      if (fault != nullptr && fault->fault.as == "outage") {
        ++outages;
        in_storms += seed % 2 == 0 ? 1U : 0U;
        BOOST_TEST((story.script.at(i + 1).after > std::chrono::seconds(15)));
        BOOST_TEST(std::get<HealAction>(story.script.at(i + 1).actions.front()).name == "outage");
      }
    }
  }
  BOOST_TEST(outages == kMany / 10);
  BOOST_TEST(in_storms > 0U);
}

/// Only these see a defect of an index while it lasts; shared informers and controllers at the end.
BOOST_AUTO_TEST_CASE(stores_with_indices_are_drawn_often) {
  std::size_t clients = 0;
  std::size_t stores = 0;
  for (std::uint64_t seed = 1; seed <= kMany; ++seed) {
    for (const sim::StoryClientOptions& client : swarm_story(seed).clients) {
      ++clients;
      stores += client.kind == sim::ClientKind::Store ? 1U : 0U;
    }
  }
  BOOST_TEST(stores * 100 >= clients * 6, stores << " of " << clients);
}

BOOST_AUTO_TEST_SUITE_END()
