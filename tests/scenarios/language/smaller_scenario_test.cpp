#include "scenarios/language/smaller_scenario.hpp"

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "scenarios/language/catalogue.hpp"
#include "scenarios/language/document.hpp"
#include "scenarios/language/document_cuts.hpp"
#include "scenarios/language/parse.hpp"
#include "scenarios/language/runner.hpp"
#include "tests/support/texts.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;
using watchlab::tests::says;

BOOST_AUTO_TEST_SUITE(smaller_scenario_test)

namespace {

/// Expects something of a delete that a later fault makes untrue, among much else.
const std::string long_story = R"(apiVersion: watchlab/v1
name: long
story: |
  Much happens, and one thing matters.
server:
  objects: [{name: demo}, {name: other}]
clients:
  - {name: x, kind: informer, handlers: [{name: sloth, takes: 1s}]}
  - {name: y, kind: informer}
script:
  - {when: {watching: x}, create: a}
  - {after: 1s, update: {name: a, data: {color: red}}}
  - {after: 1s, fault: cut_watch}
  - {after: 1s, create: b}
  - {after: 1s, atomic: [{fault: cut_watch}, {delete: demo}, {fault: evict_watch_window}]}
  - {after: 30s, create: c}
  - {after: 1s, delete: c}
expect:
  - {of: y, store: {exactly: [a, b, other]}}
  - {of: x, handler: {never: [{delete: {name: demo, tombstone: true}}]}}
)";

std::string failing_schedule(const std::string& text) {
  const Played played = run_scenario(*parse_scenario(text).scenario);
  BOOST_REQUIRE(played.result.failure.has_value());
  return played.result.schedule;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_document_written_out_means_the_same) {
  for (const std::string& path : scenario_files({"scenarios"})) {
    std::ifstream in(path);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    Problems problems;
    const Node root = parse_document(text, problems);
    const std::string written = document_text(root);
    const Node again = parse_document(written, problems);
    BOOST_TEST(problems.empty(), path);
    BOOST_TEST(fingerprint_of(again) == fingerprint_of(root), written);
    BOOST_TEST(document_text(again) == written);
    BOOST_TEST(parse_scenario(written).problems.empty(), written);
  }
}

BOOST_AUTO_TEST_CASE(what_the_failure_does_not_need_goes) {
  const SmallerScenario smaller = smaller_scenario(long_story, failing_schedule(long_story));
  BOOST_TEST(says(smaller.text, "fault: cut_watch"), smaller.text);
  BOOST_TEST(says(smaller.text, "tombstone"), smaller.text);
  for (const char* const needless :
       {"name: y", "sloth", "red", "exactly", "30s", "evict_watch_window"}) {
    BOOST_TEST(!says(smaller.text, needless), smaller.text);
  }
  const Played played = run_scenario(*parse_scenario(smaller.text).scenario);
  BOOST_REQUIRE(played.result.failure.has_value());
  BOOST_TEST(says(played.result.failure->sentence, "never"), played.result.failure->sentence);
}

BOOST_AUTO_TEST_CASE(writes_stay_when_an_expectation_fails_undisturbed) {
  const SmallerScenario smaller = smaller_scenario(long_story, failing_schedule(long_story));
  BOOST_TEST(says(smaller.text, "delete: demo"), smaller.text);
  BOOST_TEST(says(smaller.text, "create: b"), smaller.text);
}

BOOST_AUTO_TEST_CASE(a_smaller_scenario_takes_the_name_of_its_file) {
  const SmallerScenario smaller =
      smaller_scenario(long_story, failing_schedule(long_story), {.name = "short_one"});
  const Parsed parsed = parse_scenario(smaller.text);
  BOOST_REQUIRE(parsed.scenario.has_value());
  BOOST_TEST(parsed.scenario->name == "short_one");
  BOOST_TEST(!run_scenario(*parsed.scenario).held());
}

BOOST_AUTO_TEST_CASE(a_fault_that_stays_keeps_its_healing) {
  const std::string text = R"(apiVersion: watchlab/v1
name: refused
story: s
clients: [{name: x, kind: informer}]
script:
  - {atomic: [{fault: refuse_connections}, {fault: {delay: {by: 1s, as: slow}}}, {create: a}]}
  - {after: 9s, heal: slow}
  - {after: 9s, atomic: [{heal: refuse_connections}, {delete: a}]}
expect:
  - requests: {never: [{LIST: {answer: refused}}]}
)";
  const SmallerScenario smaller = smaller_scenario(text, failing_schedule(text));
  BOOST_TEST(says(smaller.text, "heal: refuse_connections"), smaller.text);
  BOOST_TEST(!says(smaller.text, "slow"), smaller.text);
  BOOST_TEST(!says(smaller.text, "9s"), smaller.text);
  BOOST_TEST(smaller.remaining == 2U, smaller.text);
}

BOOST_AUTO_TEST_CASE(the_time_of_a_step_that_goes_is_given_to_the_next) {
  Problems problems;
  const Node root = parse_document(
      "script:\n- {after: 4s, create: a}\n- {after: 300ms, create: b}\n- {create: c}\n", problems);
  BOOST_REQUIRE(problems.empty());
  BOOST_TEST(says(document_text(without(root, {0}, 0, 1)), "{after: 4300ms, create: b}"));
  BOOST_TEST(says(document_text(without(root, {0}, 0, 2)), "{create: c, after: 4300ms}"));
}

BOOST_AUTO_TEST_CASE(what_does_not_fail_is_not_made_smaller) {
  const std::string text =
      "apiVersion: watchlab/v1\nname: fine\nstory: s\nclients: [{name: x, kind: informer}]\n";
  const std::string schedule = run_scenario(*parse_scenario(text).scenario).result.schedule;
  BOOST_CHECK_THROW((void)smaller_scenario(text, schedule), std::invalid_argument);
  BOOST_CHECK_THROW((void)smaller_scenario("nothing", schedule), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
