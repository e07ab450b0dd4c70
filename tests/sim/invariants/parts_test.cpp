#include <boost/test/unit_test.hpp>
#include <chrono>

#include "tests/sim/invariants/records.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(parts_test)

namespace {

PopRecord pop(const std::string& name, const std::string& revision, runtime::Duration at) {
  return {.at = runtime::TimePoint{} + at,
          .client = "informer",
          .key = "default/" + name,
          .object = object(name, revision)};
}

/// A client that pops newest states: both of its first list, and the change of one of them.
Record of_a_fifo() {
  Record record = good_record();
  record.clients.front().keeps_store = false;
  record.answers[0].at = runtime::TimePoint{} + 1s;
  for (FrameRecord& frame : record.answers[1].frames) {
    frame.at = runtime::TimePoint{} + 3s;
  }
  record.pops = {pop("a", "2", 2s), pop("b", "3", 2s), pop("a", "4", 4s)};
  return record;
}

FrameRecord change(const std::string& name, const std::string& revision, runtime::Duration at) {
  FrameRecord changed = frame(watch::EventType::Modified, name, revision);
  changed.at = runtime::TimePoint{} + at;
  return changed;
}

/// Two objects change one after the other, and are popped in that order.
Record of_an_ordered_fifo() {
  Record record = of_a_fifo();
  record.answers[1].frames = {change("a", "4", 3s), change("b", "5", 4s)};
  record.pops = {pop("a", "2", 2s), pop("b", "3", 2s), pop("a", "4", 6s), pop("b", "5", 6s)};
  return record;
}

ReadRecord read_of(const std::string& label, const std::string& value) {
  api::Object labelled = *object("a", "4");
  labelled.metadata.labels[label] = value;
  ReadRecord read;
  read.client = "informer";
  read.value = "colour=red";
  read.objects = {std::make_shared<const api::Object>(std::move(labelled))};
  return read;
}

}  // namespace

BOOST_AUTO_TEST_CASE(i25_to_i28_and_i34_hold_of_good_records) {
  for (const Record& record : {good_record(), of_a_fifo(), of_an_ordered_fifo()}) {
    BOOST_TEST(!finding_of("queues_keep_their_order", record).has_value());
    BOOST_TEST(!finding_of("queues_sync_after_the_pops", record).has_value());
    BOOST_TEST(!finding_of("indices_answer_truly", record).has_value());
    BOOST_TEST(!finding_of("shutdowns_leave_no_key", record).has_value());
  }
  BOOST_TEST(!finding_of("queues_pop_the_newest", good_record()).has_value());
  BOOST_TEST(!finding_of("queues_pop_the_newest", of_a_fifo()).has_value());
}

BOOST_AUTO_TEST_CASE(i25_breaks_when_an_older_state_is_popped_later) {
  Record record = of_a_fifo();
  record.pops.push_back(pop("a", "2", 5s));
  check_breaks("queues_pop_the_newest", record, "pops default/a at 2");
}

BOOST_AUTO_TEST_CASE(i25_breaks_when_a_deleted_object_is_popped) {
  Record record = of_a_fifo();
  record.pops[1].at = runtime::TimePoint{} + 4s;
  check_breaks("queues_pop_the_newest", record, "pops default/b at 3");
}

BOOST_AUTO_TEST_CASE(i25_breaks_when_the_newest_state_never_comes) {
  Record record = of_a_fifo();
  record.pops.pop_back();
  check_breaks("queues_pop_the_newest", record, "never popped default/a at 4");
}

BOOST_AUTO_TEST_CASE(i25_lets_a_state_come_again_that_was_put_back) {
  Record record = of_a_fifo();
  record.pops[0].failed = true;
  record.pops.push_back(pop("a", "2", 5s));
  BOOST_TEST(!finding_of("queues_pop_the_newest", record).has_value());
}

BOOST_AUTO_TEST_CASE(i25_lets_it_come_again_once_after_a_list_has_brought_it_too) {
  Record record = of_a_fifo();
  record.pops[0].failed = true;
  record.pops.insert(record.pops.begin() + 1, pop("a", "2", 1s));
  record.pops.push_back(pop("a", "2", 5s));
  BOOST_TEST(!finding_of("queues_pop_the_newest", record).has_value());
  record.pops.push_back(pop("a", "2", 6s));
  check_breaks("queues_pop_the_newest", record, "pops default/a at 2");
}

BOOST_AUTO_TEST_CASE(i25_asks_nothing_of_what_came_when_the_client_was_stopped) {
  Record record = of_a_fifo();
  record.pops[1].at = runtime::TimePoint{} + 4s;
  record.clients.front().stopped = true;
  record.stopped["informer"] = runtime::TimePoint{} + 3s;
  BOOST_TEST(!finding_of("queues_pop_the_newest", record).has_value());
  record.stopped["informer"] = runtime::TimePoint{} + 4s;
  check_breaks("queues_pop_the_newest", record, "pops default/b at 3");
}

BOOST_AUTO_TEST_CASE(i26_breaks_when_a_later_key_comes_first) {
  Record record = of_an_ordered_fifo();
  std::swap(record.pops[2], record.pops[3]);
  check_breaks("queues_keep_their_order", record, "pops default/a at 4 after");
}

BOOST_AUTO_TEST_CASE(i26_does_not_know_the_place_of_what_was_put_back) {
  Record record = of_an_ordered_fifo();
  record.pops[0].failed = true;
  std::swap(record.pops[2], record.pops[3]);
  BOOST_TEST(!finding_of("queues_keep_their_order", record).has_value());
}

BOOST_AUTO_TEST_CASE(i26_does_not_know_the_place_of_what_was_deleted_once) {
  Record record = of_an_ordered_fifo();
  std::swap(record.pops[2], record.pops[3]);
  FrameRecord gone = frame(watch::EventType::Deleted, "b", "3");
  gone.at = runtime::TimePoint{} + 1500ms;
  record.answers[1].frames.insert(record.answers[1].frames.begin(), gone);
  BOOST_TEST(!finding_of("queues_keep_their_order", record).has_value());
}

BOOST_AUTO_TEST_CASE(i27_breaks_when_a_queue_has_synced_with_one_of_two_objects_popped) {
  Record record = of_an_ordered_fifo();
  record.pops[1].synced = true;
  check_breaks("queues_sync_after_the_pops", record, "after 1 of the 2 objects");
}

BOOST_AUTO_TEST_CASE(i28_breaks_when_an_index_gives_what_was_not_asked_for) {
  Record record = good_record();
  record.reads = {read_of("colour", "red"), read_of("colour", "blue")};
  check_breaks("indices_answer_truly", record, "default/a at 4 for colour=red");
}

BOOST_AUTO_TEST_CASE(i28_breaks_when_an_index_gives_an_object_twice) {
  Record record = good_record();
  record.reads = {read_of("colour", "red")};
  record.reads.front().objects.push_back(record.reads.front().objects.front());
  check_breaks("indices_answer_truly", record, "default/a twice");
}

BOOST_AUTO_TEST_CASE(i14_breaks_when_an_index_that_came_late_is_empty) {
  Record record = good_record();
  record.stores["informer"] = read_of("colour", "red").objects;
  record.late_indices["informer"] = {};
  check_breaks("indices_are_recomputable", record, "for colour=red");
}

BOOST_AUTO_TEST_CASE(i34_breaks_when_a_key_that_waits_is_dropped_at_the_end) {
  Record record = good_record();
  record.work = {{.type = WorkType::Added, .key = "default/a", .client = "informer"}};
  BOOST_TEST(!finding_of("shutdowns_leave_no_key", record).has_value());
  record.stopped["informer"] = runtime::TimePoint{} + 1s;
  check_breaks("shutdowns_leave_no_key", record, "default/a waited");
}

BOOST_AUTO_TEST_SUITE_END()
