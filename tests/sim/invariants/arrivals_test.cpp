#include <boost/test/unit_test.hpp>
#include <chrono>

#include "sim/invariants/invariant_catalogue.hpp"
#include "tests/sim/invariants/records.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(arrivals_test)

namespace {

const runtime::TimePoint begin{1min};

/// A shared informer shows no deltas; its handler was there from the beginning.
Record of_a_shared_informer() {
  Record record = good_record();
  record.deltas.clear();
  record.clients.front().keeps_deltas = false;
  record.handlers = {{.client = "informer", .name = "handler", .joined = begin}};
  record.answers[0].at = begin + 1s;
  for (FrameRecord& frame : record.answers[1].frames) {
    frame.at = begin + 2s;
  }
  return record;
}

/// A program that was told to end after all events had arrived, and has.
Record of_a_program_that_ended() {
  Record record = good_record();
  ClientRecord& client = record.clients.front();
  client.informer = false;
  client.stopped = true;
  record.stopped["informer"] = runtime::TimePoint{} + 1s;
  record.ends = {{.client = "informer", .cause = EndCause::Closed}};
  record.requests.back().end = StreamEnd::Stopped;
  return record;
}

}  // namespace

BOOST_AUTO_TEST_CASE(i23_and_i24_hold_of_good_records) {
  for (const Record& record : {good_record(), of_a_shared_informer(), of_a_program_that_ended()}) {
    BOOST_TEST(!finding_of("arrivals_are_told", record).has_value());
    BOOST_TEST(!finding_of("first_list_is_marked", record).has_value());
  }
}

BOOST_AUTO_TEST_CASE(i23_breaks_when_two_changes_become_one_delta) {
  Record record = good_record();
  record.answers[1].frames.insert(record.answers[1].frames.begin(),
                                  frame(watch::EventType::Modified, "a", "3"));
  check_breaks("arrivals_are_told", record, "default/a at 3 has arrived");
}

BOOST_AUTO_TEST_CASE(i23_breaks_when_a_deletion_is_delivered_without_its_state) {
  Record record = good_record();
  record.deltas.back().tombstone = true;
  check_breaks("arrivals_are_told", record, "DELETED default/b at 5");
}

BOOST_AUTO_TEST_CASE(
    i23_breaks_when_a_deletion_is_delivered_as_a_change_or_a_change_as_a_deletion) {
  Record record = good_record();
  record.deltas[3].type = DeltaType::Updated;
  check_breaks("arrivals_are_told", record, "DELETED default/b at 5");
  record = good_record();
  record.deltas[2].type = DeltaType::Deleted;
  check_breaks("arrivals_are_told", record, "MODIFIED default/a at 4");
}

BOOST_AUTO_TEST_CASE(i23_breaks_when_a_handler_misses_one_of_several_changes) {
  Record record = of_a_shared_informer();
  record.calls.erase(record.calls.begin() + 2);
  check_breaks("arrivals_are_told", record, "handler was not notified");
}

BOOST_AUTO_TEST_CASE(i23_asks_nothing_of_a_handler_that_joined_later) {
  Record record = of_a_shared_informer();
  record.calls.clear();
  record.handlers.front().joined = begin + 3s;
  BOOST_TEST(!finding_of("arrivals_are_told", record).has_value());
}

BOOST_AUTO_TEST_CASE(i23_asks_nothing_of_a_client_for_what_arrived_at_another) {
  Record record = good_record();
  record.requests.push_back(request(Verb::Watch, "3"));
  record.requests.back().client = "other";
  record.answers.emplace_back();
  record.answers.back().frames = {frame(watch::EventType::Modified, "a", "6")};
  BOOST_TEST(!finding_of("arrivals_are_told", record).has_value());
  record.requests.back().client = "informer";
  check_breaks("arrivals_are_told", record, "default/a at 6 has arrived");
}

BOOST_AUTO_TEST_CASE(i23_lets_go_of_what_arrives_on_a_watch_that_the_client_gives_up) {
  Record record = of_a_shared_informer();
  record.calls.clear();
  record.requests.back().end = StreamEnd::Stopped;
  BOOST_TEST(!finding_of("arrivals_are_told", record).has_value());
}

BOOST_AUTO_TEST_CASE(i23_breaks_when_a_program_ends_before_its_queue_is_empty) {
  Record record = of_a_program_that_ended();
  record.deltas.pop_back();
  check_breaks("arrivals_are_told", record, "default/b at 5");
}

BOOST_AUTO_TEST_CASE(i24_breaks_when_an_object_of_the_first_list_is_popped_as_a_later_one) {
  Record record = good_record();
  record.answers[0].at = begin;
  record.deltas[1].initial = false;
  check_breaks("first_list_is_marked", record, "default/b is of the first list");
}

BOOST_AUTO_TEST_CASE(i24_breaks_when_a_call_lacks_the_mark_of_the_first_list) {
  Record record = of_a_shared_informer();
  record.calls[0].initial = false;
  check_breaks("first_list_is_marked", record, "handler is not notified of that");
}

BOOST_AUTO_TEST_CASE(i24_asks_nothing_when_the_first_list_came_in_pages) {
  Record record = good_record();
  record.answers[0].at = begin;
  record.answers[0].list.continue_token = "more";
  record.deltas[1].initial = false;
  BOOST_TEST(!finding_of("first_list_is_marked", record).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
