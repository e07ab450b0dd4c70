#pragma once

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// Puts a page's patch into a state, by the words of docs/understand.md.
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

/// Twenty stories of all themes.
inline const std::vector<std::string> stories{"configmap_life",
                                              "delete_reaches_handler",
                                              "list_of_existing",
                                              "nodes_and_widgets",
                                              "three_ways_to_change",
                                              "tutorial_meets_tombstone",
                                              "recreated_before_the_pop",
                                              "slow_handler",
                                              "two_deletes_are_one",
                                              "rewatch_after_clean_close",
                                              "very_short_watch",
                                              "resync_of_each_handler",
                                              "missed_delete",
                                              "pod_runs_on_two_nodes",
                                              "resized_once",
                                              "watch_reset_is_a_relist",
                                              "list_expired_is_asked_for_the_newest",
                                              "scaled_down_by_an_old_wish",
                                              "stream_throttled_is_opened_again",
                                              "password_made_twice"};

inline constexpr scenarios::PageWindow kWhole{.first = std::nullopt, .steps_max = 1'000'000};

/// The page's state after each step, handed to `look` with the number of the step.
inline void step_through(const boost::json::object& data,
                         const std::function<void(std::size_t, const boost::json::value&)>& look) {
  boost::json::value state = data.at("base");
  const boost::json::array& events = data.at("events").as_array();
  const boost::json::object& task_patches = data.at("task_patches").as_object();
  std::size_t next = 0;
  const auto first = data.at("window").at("first").to_number<std::size_t>();
  const auto last = data.at("window").at("last").to_number<std::size_t>();
  for (std::size_t step = first - 1; step <= last; ++step) {
    if (const auto* patches = task_patches.if_contains(std::to_string(step))) {
      for (const boost::json::value& patch : patches->as_array()) {
        put(state, patch.as_array());
      }
    }
    for (; next < events.size() && events[next].at(0).to_number<std::size_t>() <= step; ++next) {
      for (const boost::json::value& patch : events[next].at(7).as_array()) {
        put(state, patch.as_array());
      }
    }
    look(step, state);
  }
}

[[nodiscard]] inline std::string text_of(const boost::json::value& value) {
  return std::string(std::string_view(value.as_string()));
}

/// Revisions by key, as the page shows a cache.
[[nodiscard]] inline std::map<std::string, std::string> shown_cache(const boost::json::object& data,
                                                                    const boost::json::value& state,
                                                                    const std::string& client) {
  std::map<std::string, std::string> cache;
  for (const auto& [key, revision] : state.at("clients").at(client).at("cache").as_object()) {
    cache[text_of(data.at("keys").at(std::stoul(std::string(key))))] = text_of(revision);
  }
  return cache;
}

}  // namespace watchlab::tests
