#include "scenarios/fuzz/story_generator.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

#include "scenarios/language/transcript.hpp"
#include "sim/faults/fault_catalogue.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(story_generator_test)

namespace {

constexpr std::uint64_t kSeedsMax = 60;

/// Calls `look` with each action of the stories of the first seeds, and the step that it stands in.
template <typename Wanted, typename Look>
void each_action(Look look) {
  for (std::uint64_t seed = 1; seed <= kSeedsMax; ++seed) {
    const Scenario story = generate_story(seed);
    for (const Step& step : story.script) {
      for (const Action& action : step.actions) {
        if (const auto* wanted = std::get_if<Wanted>(&action)) {
          look(*wanted, step);
        }
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_seed_decides_a_story) {
  BOOST_TEST(transcribe(generate_story(7)).line == transcribe(generate_story(7)).line);
  BOOST_TEST(transcribe(generate_story(7)).line != transcribe(generate_story(8)).line);
}

BOOST_AUTO_TEST_CASE(every_story_holds) {
  for (std::uint64_t seed = 1; seed <= kSeedsMax; ++seed) {
    const Transcript transcript = transcribe(generate_story(seed));
    BOOST_TEST(transcript.problem == "", "story " << seed << ": " << transcript.problem);
    BOOST_TEST(transcript.record.has_value(), "story " << seed << " has no end");
  }
}

BOOST_AUTO_TEST_CASE(every_fault_is_legal) {
  const std::vector<sim::FaultEntry>& catalogue = sim::fault_catalogue();
  std::size_t faults = 0;
  each_action<FaultAction>([&](const FaultAction& action, const Step&) {
    ++faults;
    const auto entry = std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& each) {
      return each.name == action.fault.name;
    });
    BOOST_REQUIRE(entry != catalogue.end());
    BOOST_TEST((entry->legality == sim::Legality::Legal), action.fault.name << " is not legal");
  });
  BOOST_TEST(faults > kSeedsMax);
}

BOOST_AUTO_TEST_CASE(handlers_come_and_go_at_instants_of_their_own) {
  std::size_t came = 0;
  each_action<AddHandlerAction>([&](const AddHandlerAction&, const Step& step) {
    ++came;
    BOOST_TEST(step.actions.size() == 1U);
    BOOST_TEST((step.after.value() % std::chrono::milliseconds(1)).count() != 0);
  });
  std::size_t went = 0;
  each_action<RemoveHandlerAction>([&](const RemoveHandlerAction&, const Step&) { ++went; });
  BOOST_TEST(came >= 5U);
  BOOST_TEST(went > 10U);
}

BOOST_AUTO_TEST_CASE(all_kinds_of_clients_take_part) {
  std::set<sim::ClientKind> kinds;
  bool slow = false;
  bool own_resync = false;
  for (std::uint64_t seed = 1; seed <= kSeedsMax; ++seed) {
    for (const sim::StoryClientOptions& client : generate_story(seed).clients) {
      kinds.insert(client.kind);
      for (const sim::StoryHandlerOptions& handler : client.handlers) {
        slow = slow || handler.takes > runtime::Duration::zero();
        own_resync = own_resync || handler.resync.has_value();
      }
    }
  }
  BOOST_TEST(kinds.size() == 3U);
  BOOST_TEST(slow);
  BOOST_TEST(own_resync);
}

BOOST_AUTO_TEST_SUITE_END()
