#include "scenarios/fuzz/fuzz_run.hpp"

#include <boost/test/unit_test.hpp>

#include "scenarios/language/parse.hpp"
#include "scenarios/language/runner.hpp"
#include "sim/story/story.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(fuzz_run_test)

namespace {

std::string signature(const std::string& kind, const std::string& sentence) {
  return fuzz_signature_of({.kind = kind, .sentence = sentence, .schedule = "", .steps = 0});
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_signature_names_the_first_clause_and_no_object) {
  BOOST_TEST(signature("violation",
                       "story_7:1: C4 deletions_arrive: the store of one holds default/apple\n"
                       "story_7:1: C8 handlers_add_up_to_the_store: x") ==
             "violation|C4 deletions_arrive");
}

BOOST_AUTO_TEST_CASE(a_story_that_does_not_end_has_one_signature) {
  BOOST_TEST(signature("violation",
                       "story_7:1: the story waits for quiet, which has not come within 5m") ==
             "violation|never quiet");
}

BOOST_AUTO_TEST_CASE(other_failures_are_distinguished_without_names_and_numbers) {
  const std::string one = signature("exception", "story_7:3: the client 'one' has 3 ends");
  const std::string two = signature("exception", "story_19:12: the client 'two' has 41 ends");
  BOOST_TEST(one == two);
  BOOST_TEST(one != signature("exception", "story_7:3: something else"));
  BOOST_TEST(one == "exception|the client … has  ends");
  BOOST_TEST(signature("exception", "what is the story's is not 'one's', but the server's") ==
             "exception|what is the story's is not …s', but the server's");
}

BOOST_AUTO_TEST_CASE(a_broken_expectation_is_the_same_whatever_was_seen) {
  const std::string one =
      signature("violation",
                "demo.yaml:9: Pods of the server: 'web-3' was not expected; seen:\n"
                "    1. Pod web-2\n    2. Pod web-3");
  const std::string two =
      signature("violation",
                "demo.yaml:9: Pods of the server: 'web-4' was not expected; seen:\n"
                "    1. Pod web-4");
  BOOST_TEST(one == two);
  BOOST_TEST(one != signature("violation", "demo.yaml:9: Pods of the server: 'web' is missing"));
}

BOOST_AUTO_TEST_CASE(a_story_ends_between_two_schedules_when_it_may_not_go_on) {
  const Parsed parsed = parse_scenario(
      "apiVersion: watchlab/v1\nname: calm\nstory: s\nclients: [{name: x, kind: informer}]\n");
  BOOST_REQUIRE(parsed.scenario.has_value());
  for (const std::size_t most : {0U, 1U, 4U}) {
    std::size_t asked = 0;
    const FuzzRun run =
        fuzz_story(*parsed.scenario, 1,
                   {.schedules = 1'000'000, .keep_going = [&] { return asked++ < most; }});
    BOOST_TEST(run.interrupted);
    BOOST_TEST(run.runs == most);
  }
  const FuzzRun whole =
      fuzz_story(*parsed.scenario, 1, {.schedules = 3, .keep_going = [] { return true; }});
  BOOST_TEST(!whole.interrupted);
  BOOST_TEST(whole.runs == 4U);
}

BOOST_AUTO_TEST_CASE(what_the_server_refuses_the_script_is_no_finding_beside_a_program) {
  const auto story = [](const std::string& client) {
    const Parsed parsed =
        parse_scenario("apiVersion: watchlab/v1\nname: own\nstory: s\nclients: [" + client +
                       "]\nscript: [{delete: claim}]\nexpect: [{objects: {exactly: []}}]\n");
    BOOST_TEST_REQUIRE(parsed.scenario.has_value());
    return *parsed.scenario;
  };
  const Scenario ours =
      story("{name: rs, kind: controller, reconcile: pods_from_cache, makes: [claim]}");
  const Played played = run_scenario(ours);
  BOOST_TEST_REQUIRE(played.result.failure.has_value());
  const sim::Failure& refused = *played.result.failure;
  const Scenario program = story("{name: op, kind: go, run: [/bin/true], makes: [claim]}");
  BOOST_TEST(is_own_refusal(program, refused), refused.kind << ": " << refused.sentence);
  BOOST_TEST(!is_own_refusal(ours, refused));
  BOOST_TEST(!is_own_refusal(program, {.kind = "violation", .sentence = refused.sentence}));
  BOOST_TEST(
      !is_own_refusal(program, {.kind = "exception", .sentence = "own:5: a broken program"}));
  BOOST_TEST(!is_own_refusal(
      program,
      {.kind = "exception",
       .sentence = "the program of 'op' ended with status 2; it printed:\n  panic: claim: " +
                   std::string(sim::kRefusedWrite) + "POST"}));
}

BOOST_AUTO_TEST_SUITE_END()
