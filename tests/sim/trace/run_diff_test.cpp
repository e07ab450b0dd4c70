#include "sim/trace/run_diff.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/sim/trace/stories.hpp"

namespace watchlab::tests {
BOOST_AUTO_TEST_SUITE(run_diff_test)

namespace {

using sim::RunDiff;
using sim::RunTrace;

RunTrace trace(const std::string& schedule, void (*body)(runtime::Runtime&)) {
  return sim::trace_of(witness_of(schedule, body), "run");
}

/// Handler calls of one client, and nothing else.
RunTrace calls(const std::vector<std::string>& texts) {
  RunTrace trace;
  for (const std::string& text : texts) {
    trace.notes.push_back({.step = 1, .kind = "handler", .subject = "informer", .text = text});
  }
  return trace;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_run_is_the_same_as_itself) {
  const RunTrace run = trace(default_schedule(two_readers), two_readers);
  const RunDiff diff = sim::diff_runs(run, run);
  BOOST_TEST(diff.is_empty());
  BOOST_TEST(says(diff.to_string(), "The runs are the same"), diff.to_string());
}

BOOST_AUTO_TEST_CASE(the_first_difference_comes_with_what_led_to_it) {
  const RunTrace good = trace(default_schedule(two_orders), two_orders);
  const RunTrace bad = trace(failing_schedule(two_orders), two_orders);
  const RunDiff diff = sim::diff_runs(good, bad);
  BOOST_TEST(diff.alike > 0U);
  BOOST_REQUIRE(diff.first.has_value());
  BOOST_REQUIRE(diff.second.has_value());
  BOOST_TEST(says(*diff.first, "main "), *diff.first);
  BOOST_TEST(says(*diff.second, "main/other starts"), *diff.second);
  BOOST_TEST(says(*diff.second, "before that, main is interrupted"), *diff.second);
  BOOST_TEST(says(diff.to_string(), "a: held\nb: deadlock"), diff.to_string());
  BOOST_TEST(says(diff.to_string(), "What clients and handlers see is the same."),
             diff.to_string());
}

BOOST_AUTO_TEST_CASE(handlers_of_one_client_are_compared_each_with_itself) {
  RunTrace first = calls({"add a", "add a"});
  first.notes[0].by = "slow";
  first.notes[1].by = "fast";
  RunTrace second = RunTrace::parse(first.to_lines());
  BOOST_TEST(sim::diff_runs(first, second).is_empty());
  second.notes.pop_back();
  const RunDiff diff = sim::diff_runs(first, second);
  BOOST_REQUIRE(diff.observed.size() == 1U);
  BOOST_TEST(diff.observed.front().what == "handler calls of informer, handler fast");
  std::swap(first.notes[0].by, first.notes[1].by);
  BOOST_TEST(sim::diff_runs(first, RunTrace::parse(first.to_lines())).is_empty());
  BOOST_TEST(says(sim::diff_runs(first, second).first.value_or(""), "handler informer fast"));
}

BOOST_AUTO_TEST_CASE(what_a_handler_sees_is_compared_call_by_call) {
  const RunDiff diff = sim::diff_runs(calls({"add a", "update a", "delete a"}),
                                      calls({"add a", "delete a", "add a"}));
  BOOST_REQUIRE(diff.observed.size() == 1U);
  const sim::ObservedDifference& seen = diff.observed.front();
  BOOST_TEST(seen.what == "handler calls of informer");
  BOOST_TEST(seen.only_first == 1U);
  BOOST_TEST(seen.only_second == 1U);
  const std::vector<std::string> lines{"  add a", "- update a", "  delete a", "+ add a"};
  BOOST_TEST(seen.lines == lines, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_long_stretch_that_both_have_is_left_out) {
  std::vector<std::string> many(50, "sync a");
  const RunTrace first = calls(many);
  many.emplace_back("delete a");
  const RunDiff diff = sim::diff_runs(first, calls(many));
  const std::vector<std::string> lines{"  …", "  sync a", "  sync a", "+ delete a"};
  BOOST_TEST(diff.observed.front().lines == lines, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(messages_are_compared_by_who_sends_to_whom) {
  RunTrace first;
  first.notes = {{.step = 1, .kind = "send", .subject = "#1", .text = "informer server LIST"}};
  RunTrace second;
  second.notes = {{.step = 1, .kind = "send", .subject = "#1", .text = "informer server WATCH 5"}};
  const RunDiff diff = sim::diff_runs(first, second);
  BOOST_REQUIRE(diff.observed.size() == 1U);
  BOOST_TEST(diff.observed.front().what == "messages from informer to server");
}

BOOST_AUTO_TEST_CASE(the_same_at_another_moment_is_said_to_be_late) {
  RunTrace first = calls({"add a"});
  RunTrace second = first;
  second.notes.front().at = 2'000'000'000;
  const RunDiff diff = sim::diff_runs(first, second);
  BOOST_TEST(diff.observed.empty());
  BOOST_TEST(says(diff.to_string(),
                  "0.000s  handler informer: add a, after step 1, but in b at "
                  "2.000s"),
             diff.to_string());
}

BOOST_AUTO_TEST_CASE(a_run_that_ends_earlier_is_shown_so) {
  const RunDiff diff = sim::diff_runs(calls({"add a"}), calls({"add a", "delete a"}));
  BOOST_TEST(says(diff.to_string(), "a: (the end)\n  b: 0.000s  handler informer: delete a"),
             diff.to_string());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
