#include <boost/test/unit_test.hpp>
#include <set>
#include <variant>

#include "scenarios/fuzz/story_generator.hpp"
#include "scenarios/language/parse.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(flood_story_test)

namespace {

constexpr std::uint64_t kManyFloods = 200;
constexpr int kObjectsMax = 4;

/// The actions of one kind, in the order of the script.
template <typename Kind>
std::vector<Kind> actions_of(const Scenario& scenario) {
  std::vector<Kind> found;
  for (const Step& step : scenario.script) {
    for (const Action& action : step.actions) {
      if (const auto* each = std::get_if<Kind>(&action)) {
        found.push_back(*each);
      }
    }
  }
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_story_in_four_is_a_flood) {
  BOOST_TEST(scenario_text(swarm_story(8)) == scenario_text(flood_story(8)));
  BOOST_TEST(scenario_text(swarm_story(6)) != scenario_text(flood_story(6)));
}

BOOST_AUTO_TEST_CASE(no_fault_lasts) {
  for (std::uint64_t seed = 1; seed <= kManyFloods; ++seed) {
    for (const FaultAction& fault : actions_of<FaultAction>(flood_story(seed))) {
      BOOST_TEST(fault.fault.as.empty(), "flood " << seed);
      BOOST_TEST(fault.fault.times == 0, "flood " << seed);
    }
  }
}

BOOST_AUTO_TEST_CASE(who_resyncs_is_done_with_all_objects_before_the_next_one) {
  int resyncing = 0;
  for (std::uint64_t seed = 1; seed <= kManyFloods; ++seed) {
    for (const sim::StoryClientOptions& client : flood_story(seed).clients) {
      for (const sim::StoryHandlerOptions& handler : client.handlers) {
        const bool resyncs = client.resync > runtime::Duration::zero();
        resyncing += resyncs ? 1 : 0;
        BOOST_TEST((!resyncs || handler.takes * kObjectsMax < client.resync), "flood " << seed);
      }
    }
  }
  BOOST_TEST(resyncing > 0);
}

BOOST_AUTO_TEST_CASE(handlers_join_once_and_leave_after_that) {
  std::size_t joined = 0;
  for (std::uint64_t seed = 1; seed <= kManyFloods; ++seed) {
    const Scenario flood = flood_story(seed);
    std::set<std::string> there;
    for (const AddHandlerAction& comes : actions_of<AddHandlerAction>(flood)) {
      BOOST_TEST(there.insert(comes.handler).second, "flood " << seed);
    }
    for (const RemoveHandlerAction& goes : actions_of<RemoveHandlerAction>(flood)) {
      BOOST_TEST(there.erase(goes.handler) == 1U, "flood " << seed);
    }
    joined += there.size();
  }
  BOOST_TEST(joined > 0U);
}

BOOST_AUTO_TEST_CASE(many_floods_meet_a_list_with_what_is_queued) {
  int lists = 0;
  for (std::uint64_t seed = 1; seed <= kManyFloods; ++seed) {
    for (const FaultAction& fault : actions_of<FaultAction>(flood_story(seed))) {
      lists += fault.fault.name == "fail_stream" || fault.fault.name == "evict_watch_window";
    }
  }
  BOOST_TEST(lists > static_cast<int>(kManyFloods) / 2);
}

BOOST_AUTO_TEST_SUITE_END()
