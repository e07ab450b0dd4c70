#include "scenarios/fuzz/story_shrinker.hpp"

#include <boost/test/unit_test.hpp>

#include "scenarios/fuzz/story_generator.hpp"
#include "scenarios/language/parse.hpp"
#include "scenarios/language/runner.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(story_shrinker_test)

namespace {

/// A random story that never becomes quiet: no step heals what it ends with.
Scenario restless_story(std::uint64_t seed) {
  Scenario story = swarm_story(seed);
  Step last;
  last.after = 3s;
  last.actions.emplace_back(FaultAction{{.name = "refuse_connections"}});
  last.actions.emplace_back(FaultAction{{.name = "cut_watch"}});
  story.script.push_back(last);
  return story;
}

ShrunkStory shrunk(const Scenario& story) {
  const FuzzRun run = fuzz_story(story, 1, {});
  BOOST_REQUIRE(run.found.has_value());
  BOOST_TEST(run.found->signature == "violation|never quiet");
  return shrink_story(story, *run.found);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_the_failure_does_not_need_goes) {
  const ShrunkStory story = shrunk(restless_story(3));
  BOOST_TEST(story.found.signature == "violation|never quiet");
  BOOST_TEST(story.actions_before > 10U);
  BOOST_TEST(story.actions <= 2U);
  BOOST_TEST(story.scenario.clients.size() == 1U);
  BOOST_TEST(story.scenario.server.objects.empty());
}

BOOST_AUTO_TEST_CASE(the_file_is_named_commented_and_fails) {
  const FoundFile file = file_of(shrunk(restless_story(3)), 3);
  BOOST_TEST(file.name == "found_never_quiet_3");
  BOOST_TEST(file.text.starts_with("# Found by watchlab fuzz --seeds 3..3"));
  const Parsed parsed = parse_scenario(file.text);
  BOOST_REQUIRE(parsed.scenario.has_value());
  const Played played = run_scenario(*parsed.scenario);
  BOOST_REQUIRE(played.result.failure.has_value());
  BOOST_TEST(fuzz_signature_of(*played.result.failure) == "violation|never quiet");
}

BOOST_AUTO_TEST_CASE(what_needs_no_bytes_is_delivered_in_values) {
  Scenario story = over_the_wire(swarm_story(3), 3);
  story.script = over_the_wire(restless_story(3), 5).script;
  BOOST_TEST((story.transport == sim::Transport::Wire));
  BOOST_TEST(!shrunk(story).scenario.transport.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
