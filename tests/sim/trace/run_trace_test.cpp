#include "sim/trace/run_trace.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "tests/sim/trace/stories.hpp"

namespace watchlab::tests {

using sim::RunTrace;

BOOST_AUTO_TEST_SUITE(run_trace_test)

BOOST_AUTO_TEST_CASE(a_trace_has_each_step_with_its_line_and_why_another_task_continues) {
  const RunTrace trace =
      sim::trace_of(witness_of(failing_schedule(two_orders), two_orders), "two_orders");
  BOOST_TEST(trace.outcome.starts_with("deadlock: "));
  BOOST_TEST(!trace.steps.empty());
  const auto handover = std::ranges::find_if(
      trace.steps, [](const sim::TraceStep& step) { return !step.handover.empty(); });
  BOOST_REQUIRE((handover != trace.steps.end()));
  BOOST_TEST(says(handover->handover, "continues"));
  const auto locks = std::ranges::find(trace.steps, "locks mutex 'queue'", &sim::TraceStep::does);
  BOOST_REQUIRE((locks != trace.steps.end()));
  BOOST_TEST(locks->place.starts_with("stories.hpp:"));
}

BOOST_AUTO_TEST_CASE(what_is_written_down_reads_back_the_same) {
  const RunTrace trace =
      sim::trace_of(witness_of(default_schedule(two_readers), two_readers), "two_readers");
  BOOST_TEST(trace.notes.size() == 2U);
  const RunTrace again = RunTrace::parse(trace.to_lines());
  BOOST_TEST(again.to_lines() == trace.to_lines());
  BOOST_TEST(again.steps.size() == trace.steps.size());
  BOOST_TEST(again.schedule == trace.schedule);
  BOOST_TEST(again.digest == trace.digest);
}

BOOST_AUTO_TEST_CASE(notes_stand_behind_the_step_that_they_follow) {
  const std::string lines =
      sim::trace_of(witness_of(default_schedule(two_readers), two_readers), "r").to_lines();
  const std::size_t update = lines.find("updates atomic 'value'");
  const std::size_t note = lines.find("main saw 0");
  BOOST_TEST(update < note);
  BOOST_TEST(lines.find("\"step\"", update) < note);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_trace_is_refused_by_its_line) {
  const auto says_line = [](std::string_view number) {
    return [number](const std::invalid_argument& wrong) {
      return says(wrong.what(), "line " + std::string(number) + " is no line of a trace");
    };
  };
  BOOST_CHECK_EXCEPTION((void)RunTrace::parse("nonsense"), std::invalid_argument, says_line("1"));
  BOOST_CHECK_EXCEPTION((void)RunTrace::parse("{\"step\":1}"), std::invalid_argument,
                        says_line("1"));
  const std::string head = RunTrace{}.to_lines();
  BOOST_CHECK_EXCEPTION((void)RunTrace::parse(head + "{\"step\":\"one\"}\n"), std::invalid_argument,
                        says_line("2"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
