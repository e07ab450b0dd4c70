#include <boost/test/unit_test.hpp>
#include <string>

#include "scenarios/language/parse.hpp"
#include "scenarios/language/runner.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(writes_test)

namespace {

Parsed parsed_with(const std::string& steps) {
  return parse_scenario(
      "apiVersion: watchlab/v1\nname: writes\nstory: Writes.\n"
      "clients: [{name: x, kind: informer}]\n"
      "server: {objects: [{name: demo, data: {a: \"1\"}}]}\n" +
      steps);
}

/// What breaks when the scenario is played; "" for nothing.
std::string failure_of(const std::string& steps) {
  const Parsed parsed = parsed_with(steps);
  const std::string problem = parsed.problems.empty() ? "" : parsed.problems.front().what;
  BOOST_REQUIRE_MESSAGE(parsed.scenario.has_value(), problem);
  const Played played = run_scenario(*parsed.scenario);
  return played.result.failure ? played.result.failure->sentence : "";
}

bool is_refused(const std::string& steps, const std::string& why) {
  const Parsed parsed = parsed_with(steps);
  return !parsed.problems.empty() && parsed.problems.front().what.find(why) != std::string::npos;
}

/// A scenario after whose one step the store holds the object with that data.
std::string one_step(const std::string& step, const std::string& data) {
  return "script: [{at: 1s, " + step + "}]\nexpect: [store: {exactly: [{name: demo, data: " + data +
         "}]}]\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_merge_patch_sets_members_and_takes_them_away_with_null) {
  const std::string step = "patch: {name: demo, merge: {data: {a: null, b: \"2\"}}}";
  BOOST_TEST(failure_of(one_step(step, "{b: \"2\"}")).empty());
  BOOST_TEST(!failure_of(one_step(step, "{a: \"1\", b: \"2\"}")).empty());
}

BOOST_AUTO_TEST_CASE(a_json_patch_is_a_list_of_operations) {
  const std::string step =
      "patch: {name: demo, json: [{op: test, path: /data/a, value: \"1\"}, "
      "{op: move, from: /data/a, path: /data/b}]}";
  BOOST_TEST(failure_of(one_step(step, "{b: \"1\"}")).empty());
  const std::string refused =
      failure_of(one_step("patch: {name: demo, json: [{op: remove, path: /data/z}]}", "{}"));
  BOOST_TEST(refused.starts_with("writes:6: the server refused to PATCH demo"), refused);
}

BOOST_AUTO_TEST_CASE(an_apply_keeps_what_others_own_and_drops_what_it_left_out) {
  const std::string steps =
      "script:\n"
      "  - {at: 1s, apply: {name: demo, manager: m, data: {b: \"2\", c: \"3\"}}}\n"
      "  - {at: 2s, apply: {name: demo, manager: m, data: {c: \"4\"}}}\n"
      "expect: [store: {exactly: [{name: demo, data: {a: \"1\", c: \"4\"}}]}]\n";
  BOOST_TEST(failure_of(steps).empty());
}

BOOST_AUTO_TEST_CASE(a_conflict_of_managers_is_refused_unless_it_is_forced) {
  const auto steps = [](const std::string& force) {
    return "script:\n"
           "  - {at: 1s, apply: {name: made, manager: m, data: {b: \"2\"}}}\n"
           "  - {at: 2s, apply: {name: made, manager: n" +
           force +
           ", data: {b: \"3\"}}}\n"
           "expect: [store: {at_least: [{name: made, data: {b: \"3\"}}]}]\n";
  };
  BOOST_TEST(failure_of(steps("")).find("refused to PATCH made") != std::string::npos);
  BOOST_TEST(failure_of(steps(", force: true")).empty());
}

BOOST_AUTO_TEST_CASE(a_patch_is_of_one_form_and_of_an_object_that_is_made) {
  BOOST_TEST(is_refused("script: [{patch: {name: demo}}]\n", "a patch that says nothing"));
  BOOST_TEST(is_refused("script: [{patch: {name: demo, merge: {}, json: []}}]\n", "beside"));
  BOOST_TEST(is_refused("script: [{patch: {name: other, merge: {}}}]\n", "unknown object 'other'"));
  BOOST_TEST(is_refused("script: [{patch: {name: demo, json: {}}}]\n", "where a JSON patch"));
}

BOOST_AUTO_TEST_SUITE_END()
