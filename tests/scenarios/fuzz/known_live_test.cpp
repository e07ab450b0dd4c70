#include "scenarios/fuzz/known_live.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

#include "scenarios/fuzz/fuzz_run.hpp"
#include "scenarios/language/parse.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(known_live_test)

namespace {

/// A FIFO whose consumer is still busy with the first of two objects when a list without them
/// comes.
Scenario second_list_before_the_pops() {
  const Parsed parsed = parse_scenario(R"(apiVersion: watchlab/v1
name: twice
story: A list comes before what the first one brought is popped.
server: {namespaces: [garden]}
clients:
  - {name: one, kind: fifo, pause: 3s}
script:
  - atomic:
      - create: birch
      - create: {name: birch, namespace: garden}
  - {after: 1s, fault: cut_watch}
  - atomic:
      - delete: birch
      - delete: {name: birch, namespace: garden}
)");
  BOOST_REQUIRE(parsed.scenario.has_value());
  return *parsed.scenario;
}

FuzzFailure found_in(const Scenario& story) {
  const FuzzRun run = fuzz_story(story, 1, {});
  BOOST_REQUIRE(run.found.has_value());
  return *run.found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_second_list_before_the_pops_is_known) {
  const FuzzFailure found = found_in(second_list_before_the_pops());
  BOOST_TEST(found.signature == "violation|C12 first_list_comes_first");
  BOOST_TEST(found.known == "second_list_counts_anew");
}

BOOST_AUTO_TEST_CASE(a_known_behaviour_excuses_nothing_beside_it) {
  const Scenario story = second_list_before_the_pops();
  sim::Failure failure = found_in(story).failure;
  failure.sentence += "\ntwice:1: C4 deletions_arrive: the store of one holds default/birch";
  BOOST_TEST(known_fix_of(story, failure).empty());
}

BOOST_AUTO_TEST_CASE(the_clause_alone_excuses_no_other) {
  const Scenario story = second_list_before_the_pops();
  sim::Failure failure = found_in(story).failure;
  failure.sentence =
      "twice:1: C12 first_list_comes_first: two has its list and is quiet, but has not synced";
  BOOST_TEST(known_fix_of(story, failure).empty());
}

BOOST_AUTO_TEST_CASE(only_violations_are_known) {
  const Scenario story = second_list_before_the_pops();
  sim::Failure failure = found_in(story).failure;
  failure.kind = "deadlock";
  BOOST_TEST(known_fix_of(story, failure).empty());
}

BOOST_AUTO_TEST_CASE(each_known_behaviour_has_a_fix) {
  for (const KnownLive& known : known_live_catalogue()) {
    const std::filesystem::path patch = "tests/fixes/" + std::string(known.fix) + ".patch";
    BOOST_TEST(std::filesystem::exists(patch), patch << " is not there");
  }
}

BOOST_AUTO_TEST_SUITE_END()
