#include <boost/test/unit_test.hpp>
#include <chrono>

#include "tests/sim/invariants/records.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(repetition_test)

namespace {

CallRecord resync(runtime::Duration at) {
  CallRecord delivered = call(CallType::Update, "a", "4");
  delivered.before = delivered.object;
  delivered.at = runtime::TimePoint{} + at;
  return delivered;
}

/// A shared informer whose handler has asked for a resync every ten seconds, and has got them.
Record with_resyncs() {
  Record record = good_record();
  record.clients.front().keeps_deltas = false;
  record.clients.front().resync = 10s;
  record.handlers = {{.client = "informer", .name = "handler", .resync = 10s}};
  record.requests.back().at = runtime::TimePoint{} + 2s;
  record.closed = runtime::TimePoint{} + 100s;
  for (int i = 1; i < 10; ++i) {
    record.calls.push_back(resync(10s * i));
  }
  return record;
}

RequestRecord refused_list(const std::string& revision) {
  RequestRecord refused = request(Verb::List, revision);
  refused.answer = AnswerKind::Expired;
  return refused;
}

}  // namespace

BOOST_AUTO_TEST_CASE(i29_to_i33_hold_of_good_records) {
  for (const Record& record : {good_record(), with_resyncs()}) {
    BOOST_TEST(!finding_of("resyncs_reach_who_asked", record).has_value());
    BOOST_TEST(!finding_of("resyncs_come", record).has_value());
    BOOST_TEST(!finding_of("failures_are_tried_again", record).has_value());
    BOOST_TEST(!finding_of("newest_lists_have_a_reason", record).has_value());
    BOOST_TEST(!finding_of("panics_are_followed_by_a_pause", record).has_value());
  }
}

BOOST_AUTO_TEST_CASE(i29_breaks_when_a_handler_without_a_period_is_notified_again) {
  Record record = with_resyncs();
  record.handlers.front().resync = runtime::Duration::zero();
  check_breaks("resyncs_reach_who_asked", record, "asked for no resync");
}

BOOST_AUTO_TEST_CASE(i29_breaks_when_resyncs_come_more_often_than_asked) {
  Record record = with_resyncs();
  record.handlers.front().resync = 20s;
  check_breaks("resyncs_reach_who_asked", record, "every 20000 ms");
}

BOOST_AUTO_TEST_CASE(i29_asks_nothing_after_a_second_list) {
  Record record = with_resyncs();
  record.handlers.front().resync = 20s;
  record.requests.push_back(request(Verb::List, "5"));
  BOOST_TEST(!finding_of("resyncs_reach_who_asked", record).has_value());
}

BOOST_AUTO_TEST_CASE(i30_breaks_when_a_handler_is_not_notified_again) {
  Record record = with_resyncs();
  record.calls.resize(6);
  check_breaks("resyncs_come", record, "handler has asked for resyncs");
}

BOOST_AUTO_TEST_CASE(i30_breaks_when_a_queue_gives_nothing_again) {
  Record record = with_resyncs();
  record.clients.front().keeps_deltas = true;
  check_breaks("resyncs_come", record, "informer has asked for resyncs");
}

BOOST_AUTO_TEST_CASE(i31_breaks_when_what_failed_is_not_tried_again) {
  Record record = good_record();
  record.deltas[2].failed = true;
  check_breaks("failures_are_tried_again", record, "has failed at default/a");
  record.deltas.push_back(delta(DeltaType::Updated, "a", "4"));
  BOOST_TEST(!finding_of("failures_are_tried_again", record).has_value());
}

BOOST_AUTO_TEST_CASE(i31_asks_nothing_of_what_was_deleted_meanwhile) {
  Record record = good_record();
  record.pops = {{.client = "informer", .key = "default/b", .object = object("b", "3")}};
  record.pops.front().failed = true;
  BOOST_TEST(!finding_of("failures_are_tried_again", record).has_value());
}

BOOST_AUTO_TEST_CASE(i32_breaks_when_a_refused_revision_is_asked_for_again) {
  Record record = good_record();
  record.requests.insert(record.requests.begin(), refused_list("0"));
  record.answers.emplace(record.answers.begin());
  check_breaks("newest_lists_have_a_reason", record, "LIST at 0 although");
  record.requests[1].options.resource_version = "";
  BOOST_TEST(!finding_of("newest_lists_have_a_reason", record).has_value());
}

BOOST_AUTO_TEST_CASE(i32_breaks_when_the_newest_state_is_asked_for_without_a_reason) {
  Record record = good_record();
  record.requests.front().options.resource_version = "";
  check_breaks("newest_lists_have_a_reason", record, "no revision was refused");
}

BOOST_AUTO_TEST_CASE(i33_breaks_when_a_handler_that_panicked_is_called_at_once) {
  Record record = good_record();
  record.calls[0].panics = true;
  check_breaks("panics_are_followed_by_a_pause", record, "again after 0 ms");
  for (std::size_t i = 1; i < record.calls.size(); ++i) {
    record.calls[i].at += 1s;
  }
  BOOST_TEST(!finding_of("panics_are_followed_by_a_pause", record).has_value());
}

BOOST_AUTO_TEST_CASE(c1_lets_a_delta_come_again_that_was_put_back) {
  Record record = good_record();
  record.deltas.insert(record.deltas.begin() + 3, delta(DeltaType::Updated, "a", "4"));
  BOOST_TEST(finding_of("cache_follows_server", record).has_value());
  record.deltas[2].failed = true;
  BOOST_TEST(!finding_of("cache_follows_server", record).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
