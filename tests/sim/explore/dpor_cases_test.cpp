// Programs on which `dpor` once said exhausted and had missed something, or played much more than
// there was to see; with the exact numbers of what there is, of classes, and of runs.
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "sim/explore/dpor_strategy.hpp"
#include "tests/sim/explore/oracle/comparison.hpp"

namespace watchlab::sim::oracle {
BOOST_AUTO_TEST_SUITE(dpor_cases_test)

namespace {

using Mode = DporStrategy::Mode;

/// A listing, what the oracle must find in it, and how many runs the two modes play. Some runs show
/// the same, see docs/explore.md; those that are abandoned do not count.
struct Case {
  std::string listing;
  std::size_t outcomes;
  std::size_t classes;
  std::size_t with_sources;
  std::size_t with_trees;
};

void check_mode(const Case& expected, Mode mode, const Listing& listing, const Graph& graph) {
  DporStrategy strategy(mode);
  const Found found = search(strategy, listing, &graph, 100'000);
  BOOST_TEST(found.error == "");
  BOOST_TEST(found.exhausted);
  BOOST_TEST(found.outcomes == graph.outcomes(), boost::test_tools::per_element());
  BOOST_TEST(found.classes.size() == expected.classes);
  BOOST_TEST(found.executions ==
             (mode == Mode::SourceSets ? expected.with_sources : expected.with_trees));
}

void check(const Case& expected) {
  const Listing listing = parse_listing(expected.listing);
  const Graph graph(listing, Limits{});
  BOOST_TEST_CONTEXT(expected.listing) {
    BOOST_TEST(graph.outcomes().size() == expected.outcomes);
    BOOST_TEST(graph.classes() == expected.classes);
    for (const Mode mode : {Mode::SourceSets, Mode::WakeupTrees}) {
      check_mode(expected, mode, listing, graph);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_follows_a_reversed_race_belongs_to_its_sequence) {
  // The run that reverses two races at once is planned with what comes after the second of them.
  check({"exchange 2 | store 1; exchange 1 | store 0; load 2 | exchange 1; exchange 0", 12, 12, 12,
         12});
  check({"store 1 | store 0; store 0 | exchange 2; store 1 | load 0; exchange 2", 6, 12, 12, 12});
}

BOOST_AUTO_TEST_CASE(a_rendezvous_takes_the_turn_of_both) {
  check({"send 0; send 0 | send 0; send 0 | receive 0; receive 0; receive 0; receive 0", 6, 6, 162,
         188});
  check({"send 0 | send 0 | receive 0; receive 0", 2, 2, 10, 10});
  check({"send 0 | send 0 | send 0 | receive 0; receive 0; receive 0", 6, 6, 106, 114});
}

BOOST_AUTO_TEST_CASE(a_select_may_take_what_another_task_waits_for) {
  check({"send 1 | receive 1 | select r1 s3", 2, 2, 2, 2});
  check({"select s3 r1 | send 1; poll r1; receive 3", 2, 2, 3, 3});
  check({"select s2; receive 0 | send 0 | select r0 r3; size 2", 3, 3, 9, 10});
  check({"timers 2 2 | select r6 s0 r0 | receive 6; poll s0", 3, 3, 3, 3});
}

BOOST_AUTO_TEST_CASE(a_timer_races_with_a_poll_and_with_a_sender_that_are_due_with_it) {
  check({"timers 1 0 | sleep 1; try_receive 5", 2, 2, 2, 2});
  check({"timers 1 1 | select r5 r6", 2, 2, 4, 4});
  check({"timers 1 0 | select r5 r0 | sleep 1; send 0", 2, 2, 6, 6});
}

BOOST_AUTO_TEST_CASE(a_timer_without_delay_is_due_at_once_and_comes_after_what_armed_it) {
  check({"timer_reset 0 0; timer_stop 0 | try_receive 5", 3, 3, 3, 3});
  check({"timer_reset 0 0 | try_receive 5; timer_stop 0", 3, 4, 4, 4});
  check({"timer_reset 1 0; timer_reset 1 0 | try_receive 6", 4, 5, 5, 5});
}

BOOST_AUTO_TEST_CASE(a_firing_that_a_stop_prevents_may_come_before_or_after_what_the_run_did_then) {
  check({"timer_reset 1 0; timer_stop 1 | receive 5 | poll s2 s0 | poll r6 | try_receive 2", 6, 6,
         6, 6});
  check({"timers 1 2 | timer_stop 0 | sleep 1 | timer_reset 0 0 | try_receive 5", 5, 5, 5, 5});
  check({"timers 1 2 | timer_reset 1 0 | timer_stop 1 | try_receive 6", 5, 5, 5, 5});
  check({"timers 0 1 | timer_reset 1 0 | timer_reset 1 0 | try_receive 6", 6, 8, 10, 10});
}

BOOST_AUTO_TEST_CASE(who_lets_go_of_a_timer_depends_on_its_firing_alone) {
  check({"timers 1 2 | try_receive 6 | timer_reset 1 0", 2, 2, 2, 2});
  check({"timers 0 2 | timer_reset 0 0 | timer_reset 0 1; timer_reset 0 1 | try_receive 5", 7, 8, 8,
         9});
}

BOOST_AUTO_TEST_CASE(to_come_to_wait_for_a_group_is_a_step_that_counting_down_races_with) {
  check({"group_done; group_wait | group_done | group_wait; group_add 1", 2, 6, 12, 12});
}

BOOST_AUTO_TEST_CASE(a_poll_may_come_before_its_partner_is_met_by_another) {
  check({"poll s3 s0 | select s0 r0 | select r3", 3, 3, 10, 10});
}

BOOST_AUTO_TEST_CASE(a_send_to_a_closed_channel_takes_no_room) {
  check({"send 1; close 1 | receive 1 | send 1; receive 1", 4, 5, 9, 9});
}

BOOST_AUTO_TEST_CASE(a_step_that_another_task_makes_possible_comes_after_it) {
  check({"receive 1; send 0 | try_receive 0 | send 1; receive 1", 3, 3, 4, 5});
}

BOOST_AUTO_TEST_CASE(what_was_passed_over_does_not_sleep_behind_a_sequence) {
  // The last step of a sequence may touch less than was to be feared when the sequence was added.
  check({"poll r0 | close 0 | try_receive 0; try_send 1; select s0 | try_send 0 | send 1", 20, 20,
         190, 256});
  check({"timers 0 1 | close 3 | send 2 | try_receive 3; poll s3; poll s2", 3, 6, 6, 8});
}

BOOST_AUTO_TEST_CASE(what_is_played_twice_is_known) {
  // Why: docs/explore.md.
  check(
      {"read_lock; read_unlock | read_lock; read_unlock | write_lock; write_unlock | "
       "write_lock; write_unlock",
       1, 108, 128, 128});
  check({"lock 0; wait 0 0 | lock 0; wait 0 0 | notify_one 0", 3, 8, 10, 10});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim::oracle
