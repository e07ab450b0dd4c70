#include "scenarios/fuzz/fault_coverage.hpp"

#include <boost/test/unit_test.hpp>

using namespace watchlab;
using namespace watchlab::scenarios;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(fault_coverage_test)

namespace {

const runtime::TimePoint start{};

api::ObjectPtr demo() {
  api::Object made;
  made.metadata.namespace_ = "default";
  made.metadata.name = "demo";
  return std::make_shared<const api::Object>(std::move(made));
}

/// A client lists for a second, watches from then on until the fifth second, and is told of its one
/// object half a second late.
sim::Record record_of_a_client() {
  sim::Record record;
  record.clients = {{.name = "one", .started = true}};
  record.requests.resize(2);
  record.answers.resize(2);
  record.requests[0] = {
      .at = start, .client = "one", .verb = sim::Verb::List, .answer = sim::AnswerKind::Ok};
  record.requests[0].ended = start + 1s;
  record.answers[0].at = start + 1s;
  record.answers[0].list.items = {demo()};
  record.requests[1] = {
      .at = start + 1s, .client = "one", .verb = sim::Verb::Watch, .answer = sim::AnswerKind::Ok};
  record.requests[1].ended = start + 5s;
  record.answers[1].at = start + 2s;
  record.deltas = {{.at = start + 1500ms, .client = "one", .key = "default/demo"}};
  return record;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_state_of_a_reflector_is_read_off_its_requests) {
  const sim::Record record = record_of_a_client();
  const auto state = [&](runtime::Duration at) {
    return reflector_state(record, "one", start + at);
  };
  BOOST_TEST((state(-1s) == ReflectorState::Away));
  BOOST_TEST((state(500ms) == ReflectorState::Listing));
  BOOST_TEST((state(1500ms) == ReflectorState::Opening));
  BOOST_TEST((state(3s) == ReflectorState::Watching));
  BOOST_TEST((state(6s) == ReflectorState::Pausing));
}

BOOST_AUTO_TEST_CASE(a_client_that_was_stopped_is_away) {
  sim::Record record = record_of_a_client();
  record.stopped["one"] = start + 3s;
  BOOST_TEST((reflector_state(record, "one", start + 4s) == ReflectorState::Away));
}

BOOST_AUTO_TEST_CASE(the_state_of_a_queue_is_what_arrived_and_was_not_delivered) {
  sim::Record record = record_of_a_client();
  BOOST_TEST((queue_state(record, "one", start + 500ms) == QueueState::Unfilled));
  BOOST_TEST((queue_state(record, "one", start + 1200ms) == QueueState::One));
  BOOST_TEST((queue_state(record, "one", start + 2s) == QueueState::Empty));
}

BOOST_AUTO_TEST_CASE(a_fault_meets_the_clients_that_it_can_hit) {
  sim::Record record = record_of_a_client();
  record.faults = {{.name = "cut_watch", .at = start + 3s},
                   {.name = "delay", .at = start + 3s, .of = "two"}};
  FaultCoverage coverage;
  coverage.add(record);
  FaultCoverage both = coverage;
  both.merge(coverage);
  BOOST_TEST(coverage.hits("cut_watch", ReflectorState::Watching, QueueState::Empty) == 1U);
  BOOST_TEST(both.hits("cut_watch", ReflectorState::Watching, QueueState::Empty) == 2U);
  BOOST_TEST(coverage.hits("delay", ReflectorState::Watching, QueueState::Empty) == 0U);
  BOOST_TEST(coverage.cells_hit({"cut_watch", "delay"}) == 1U);
}

BOOST_AUTO_TEST_CASE(the_table_shows_what_was_never_met_as_dots) {
  sim::Record record = record_of_a_client();
  record.faults = {{.name = "cut_watch", .at = start + 3s}};
  FaultCoverage coverage;
  coverage.add(record);
  const std::string table = coverage.table({"cut_watch", "tear_event"});
  BOOST_TEST(table.find("cut_watch") != std::string::npos);
  BOOST_TEST(table.find(".e..") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
