#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>

#include "scenarios/fuzz/story_generator.hpp"
#include "scenarios/language/parse.hpp"
#include "scenarios/language/transcript.hpp"
#include "sim/faults/fault_catalogue.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(compared_story_test)

namespace {

constexpr std::uint64_t kComparedSeedsMax = 200;

bool is_whole(runtime::Duration time) {
  return time > runtime::Duration::zero() && time % std::chrono::milliseconds(1) == time.zero();
}

template <typename Wanted>
bool has(const Step& step) {
  return std::ranges::any_of(
      step.actions, [](const Action& action) { return std::holds_alternative<Wanted>(action); });
}

bool is_illegal(const std::string& fault) {
  const std::vector<sim::FaultEntry>& catalogue = sim::fault_catalogue();
  const auto entry =
      std::ranges::find(catalogue, fault, [](const auto& each) { return std::string(each.name); });
  return entry != catalogue.end() && entry->legality == sim::Legality::Illegal && !entry->wire_only;
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_handler_takes_whole_milliseconds) {
  std::size_t slow = 0;
  for (std::uint64_t seed = 1; seed <= kComparedSeedsMax; ++seed) {
    for (const sim::StoryClientOptions& client : compared_story(seed).clients) {
      BOOST_TEST(!is_whole(client.takes));
      BOOST_TEST(!is_whole(client.pause));
      BOOST_TEST(!is_whole(client.resync));
      for (const sim::StoryHandlerOptions& handler : client.handlers) {
        BOOST_TEST(!is_whole(handler.takes));
        slow += handler.takes > runtime::Duration::zero() ? 1 : 0;
      }
    }
  }
  BOOST_TEST(slow > 50U);
}

// One seed of each shape.
BOOST_AUTO_TEST_CASE(a_story_of_each_shape_has_an_end_and_follows_from_its_seed) {
  std::size_t requests = 0;
  for (std::uint64_t seed = 1; seed <= 11; ++seed) {
    const Scenario story = shaped_story(seed);
    BOOST_TEST(scenario_text(story) == scenario_text(shaped_story(seed)));
    BOOST_TEST(scenario_text(story) != scenario_text(shaped_story(seed + 11)));
    const Transcript played = play_undisturbed(story);
    BOOST_TEST_REQUIRE(played.record.has_value(), played.problem);
    requests += played.record->requests.size();
  }
  BOOST_TEST(requests > 40U);
}

BOOST_AUTO_TEST_CASE(each_step_of_a_shape_has_something_to_do) {
  for (std::uint64_t seed = 1; seed <= kComparedSeedsMax; ++seed) {
    const Scenario story = shaped_story(seed);
    BOOST_TEST(
        std::ranges::none_of(story.script, [](const Step& step) { return step.actions.empty(); }),
        "seed " << seed);
  }
}

BOOST_AUTO_TEST_CASE(a_handler_is_removed_in_a_step_of_its_own) {
  std::size_t removals = 0;
  for (std::uint64_t seed = 1; seed <= kComparedSeedsMax; ++seed) {
    for (const Step& step : compared_story(seed).script) {
      const bool removes = has<RemoveHandlerAction>(step);
      removals += removes ? 1 : 0;
      BOOST_TEST(!(removes && has<AddHandlerAction>(step)));
    }
  }
  BOOST_TEST(removals > 10U);
}

BOOST_AUTO_TEST_CASE(each_illegal_story_has_an_illegal_fault_and_comes_to_its_end) {
  for (std::uint64_t seed = 1; seed <= kComparedSeedsMax / 10; ++seed) {
    const Scenario story = illegal_story(seed);
    std::size_t illegal = 0;
    for (const Step& step : story.script) {
      for (const Action& action : step.actions) {
        const auto* fault = std::get_if<FaultAction>(&action);
        illegal += fault != nullptr && is_illegal(fault->fault.name) ? 1 : 0;
      }
    }
    BOOST_TEST(illegal > 0U, story.name);
    BOOST_TEST(!transcribe(story).line.empty(), story.name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
