#pragma once

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <utility>

#include "scenarios/language/catalogue.hpp"
#include "scenarios/language/runner.hpp"
#include "scenarios/report/page_data.hpp"

namespace watchlab::tests {

/// A shipped story that was played for a page.
struct PlayedStory {
  scenarios::Scenario scenario;
  scenarios::SeenRun seen;
  std::unique_ptr<scenarios::PageData> data;
};

/// Plays the story of that name, or a scenario that is given as text.
[[nodiscard]] inline PlayedStory play_for_page(scenarios::Scenario scenario) {
  PlayedStory story{.scenario = std::move(scenario)};
  const std::string schedule = scenarios::run_scenario(story.scenario).result.schedule;
  story.seen = see_run(story.scenario, schedule, scenarios::Scope::StoredOrder);
  story.data =
      std::make_unique<scenarios::PageData>(story.scenario, story.seen, scenarios::PageFacts{});
  return story;
}

[[nodiscard]] inline scenarios::Scenario scenario_named(const std::string& name) {
  std::string nearest;
  const std::string path = scenarios::find_scenario("scenarios", name, nearest);
  BOOST_TEST_REQUIRE(!path.empty(), name);
  auto entry = scenarios::load_catalogue({path});
  BOOST_TEST_REQUIRE(entry.front().parsed.scenario.has_value(), name);
  return *entry.front().parsed.scenario;
}

/// Puts a page's patch into a state, by the words of docs/report.md.
inline void put(boost::json::value& state, const boost::json::array& patch) {
  boost::json::value* place = &state;
  for (std::size_t i = 0; i + 2 < patch.size(); ++i) {
    boost::json::value& inner = place->as_object()[patch[i].as_string()];
    if (!inner.is_object()) {
      inner = boost::json::object();
    }
    place = &inner;
  }
  const auto& name = patch[patch.size() - 2].as_string();
  if (patch.back().is_null()) {
    place->as_object().erase(name);
  } else {
    place->as_object()[name] = patch.back();
  }
}

}  // namespace watchlab::tests
