#include <boost/test/unit_test.hpp>

#include "sim/invariants/invariant_catalogue.hpp"
#include "tests/sim/invariants/records.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(clauses_test)

BOOST_AUTO_TEST_CASE(all_clauses_hold_for_a_good_story) {
  const Record record = good_record();
  for (const Invariant& invariant : invariant_catalogue()) {
    const std::optional<std::string> sentence = invariant.check(record);
    BOOST_TEST(!sentence.has_value(), invariant.name << ": " << sentence.value_or(""));
  }
}

BOOST_AUTO_TEST_CASE(c1_breaks_when_an_older_state_comes_after_a_newer_one) {
  Record record = good_record();
  std::swap(record.deltas[0], record.deltas[2]);
  check_breaks("cache_follows_server", record, "default/a at 2 after");
}

BOOST_AUTO_TEST_CASE(c1_breaks_at_a_state_that_the_server_never_had) {
  Record record = good_record();
  record.deltas[0].object = object("a", "1");
  check_breaks("cache_follows_server", record, "never had");
}

BOOST_AUTO_TEST_CASE(c1_breaks_when_an_event_comes_twice) {
  Record record = good_record();
  record.deltas.push_back(record.deltas[3]);
  check_breaks("cache_follows_server", record, "after it has received 5");
}

BOOST_AUTO_TEST_CASE(c1_follows_each_client_and_each_object_by_itself) {
  Record record = good_record();
  record.deltas.push_back(delta(DeltaType::Added, "a", "2"));
  record.deltas.back().client = "other";
  BOOST_TEST(!finding_of("cache_follows_server", record).has_value());
  record.deltas.back().client = "informer";
  check_breaks("cache_follows_server", record, "default/a at 2 after it has received 4");
}

BOOST_AUTO_TEST_CASE(c2_breaks_when_a_notification_carries_another_object) {
  Record record = good_record();
  record.calls[2].before = object("b", "3");
  check_breaks("objects_do_not_mix", record, "carries default/b");
}

BOOST_AUTO_TEST_CASE(c2_looks_at_no_order_across_objects) {
  Record record = good_record();
  std::swap(record.deltas[0], record.deltas[1]);
  std::swap(record.calls[0], record.calls[1]);
  BOOST_TEST(broken_invariants(record, {}).empty());
}

BOOST_AUTO_TEST_CASE(c3_breaks_when_the_newest_state_is_not_stored) {
  Record record = good_record();
  record.stores["informer"] = {object("a", "2")};
  check_breaks("stores_converge", record, "still holds default/a at 2");
}

BOOST_AUTO_TEST_CASE(c3_asks_nothing_of_whom_an_event_was_stolen) {
  Record record = good_record();
  record.stores["informer"] = {object("a", "2")};
  record.lost_events = {"informer"};
  BOOST_TEST(!finding_of("stores_converge", record).has_value());
}

BOOST_AUTO_TEST_CASE(c4_breaks_when_a_deleted_object_is_stored) {
  Record record = good_record();
  record.stores["informer"].push_back(object("b", "3"));
  check_breaks("deletions_arrive", record, "default/b at 3");
}

BOOST_AUTO_TEST_CASE(c5_breaks_when_a_key_is_listed_twice) {
  Record record = good_record();
  record.stores["informer"].push_back(object("a", "2"));
  check_breaks("store_is_one_snapshot", record, "a key twice");
}

BOOST_AUTO_TEST_CASE(c5_breaks_when_the_store_is_not_what_the_deltas_make) {
  Record record = good_record();
  record.stores["informer"].clear();
  check_breaks("store_is_one_snapshot", record, "default/a at 4 is missing");
}

BOOST_AUTO_TEST_CASE(c6_breaks_when_the_handler_is_notified_before_the_store) {
  Record record = good_record();
  record.calls[2].cached = "2";
  check_breaks("store_before_handler", record, "the store holds 2");
}

BOOST_AUTO_TEST_CASE(c7_breaks_when_calls_overlap) {
  Record record = good_record();
  record.calls[1].overlaps = true;
  check_breaks("calls_are_sequential", record, "in another call");
}

BOOST_AUTO_TEST_CASE(c7_breaks_when_an_update_does_not_continue_from_the_call_before) {
  Record record = good_record();
  record.calls[2].before = object("a", "3");
  check_breaks("calls_are_sequential", record, "received 2 last");
}

BOOST_AUTO_TEST_CASE(c8_breaks_when_a_handler_misses_what_the_store_holds) {
  Record record = good_record();
  record.calls.erase(record.calls.begin() + 2);
  check_breaks("handlers_add_up_to_the_store", record, "default/a is at 2");
}

BOOST_AUTO_TEST_CASE(c9_breaks_when_a_name_is_added_twice) {
  Record record = good_record();
  record.calls[2].type = CallType::Add;
  check_breaks("names_are_identities", record, "is there already");
}

BOOST_AUTO_TEST_CASE(c9_breaks_when_an_unknown_name_is_deleted) {
  Record record = good_record();
  record.calls.erase(record.calls.begin() + 1);
  check_breaks("names_are_identities", record, "was never added");
}

BOOST_AUTO_TEST_CASE(c10_breaks_when_a_tombstone_carries_an_older_state) {
  Record record = good_record();
  record.calls[3].tombstone = true;
  record.calls[3].object = object("b", "1");
  check_breaks("deletes_carry_the_last_state", record, "received 3 last");
}

BOOST_AUTO_TEST_CASE(c10_breaks_when_a_delete_carries_nothing) {
  Record record = good_record();
  record.calls[3].object = nullptr;
  check_breaks("deletes_carry_the_last_state", record, "without an object");
}

BOOST_AUTO_TEST_CASE(c11_breaks_when_a_call_is_skipped) {
  Record record = good_record();
  record.calls.erase(record.calls.begin() + 1);
  check_breaks("slow_handlers_lose_nothing", record, "not what the queue gave");
}

BOOST_AUTO_TEST_CASE(c11_breaks_when_the_last_call_never_comes) {
  Record record = good_record();
  record.calls.pop_back();
  check_breaks("slow_handlers_lose_nothing", record, "3 times for 4 deltas");
}

BOOST_AUTO_TEST_CASE(c11_lets_a_resync_be_on_its_way_when_the_record_is_closed) {
  Record record = good_record();
  record.deltas.push_back(delta(DeltaType::Sync, "a", "4"));
  BOOST_TEST(!finding_of("slow_handlers_lose_nothing", record).has_value());
  record.closed += std::chrono::milliseconds(1);
  check_breaks("slow_handlers_lose_nothing", record, "4 times for 5 deltas");
}

BOOST_AUTO_TEST_CASE(c12_breaks_when_something_later_overtakes_the_first_list) {
  Record record = good_record();
  std::swap(record.deltas[1], record.deltas[2]);
  check_breaks("first_list_comes_first", record, "after others");
}

BOOST_AUTO_TEST_CASE(c12_breaks_when_a_quiet_client_has_not_synced) {
  Record record = good_record();
  record.clients[0].synced = false;
  check_breaks("first_list_comes_first", record, "has not synced");
}

BOOST_AUTO_TEST_CASE(c13_breaks_at_a_revision_that_the_client_made_up) {
  Record record = good_record();
  record.requests[1].options.resource_version = "6";
  check_breaks("revisions_are_the_servers", record, "'6'");
}

BOOST_AUTO_TEST_CASE(c13_breaks_when_a_watch_goes_back) {
  Record record = good_record();
  record.requests.push_back(request(Verb::Watch, "2"));
  check_breaks("revisions_are_the_servers", record, "from 2 after");
}

BOOST_AUTO_TEST_CASE(c14_breaks_when_a_watch_is_left_open) {
  Record record = good_record();
  record.left_open = {"WATCH rv=3 of informer"};
  check_breaks("watches_are_stopped", record, "WATCH rv=3 of informer");
}

BOOST_AUTO_TEST_CASE(c15_breaks_when_a_request_waits_although_all_is_quiet) {
  Record record = good_record();
  record.requests.push_back(request(Verb::Watch, "3"));
  record.requests.back().answer = AnswerKind::Pending;
  check_breaks("nobody_waits_for_ever", record, "has no answer");
}

BOOST_AUTO_TEST_CASE(c16_breaks_when_two_workers_have_one_key) {
  Record record = good_record();
  record.work = {
      {WorkType::Added, "a", ""}, {WorkType::Taken, "a", "one"}, {WorkType::Taken, "a", "two"}};
  check_breaks("one_worker_a_key", record, "two takes a while one");
}

BOOST_AUTO_TEST_CASE(c17_breaks_when_a_key_stays_dirty) {
  Record record = good_record();
  record.work.push_back({WorkType::Added, "default/a", ""});
  check_breaks("dirty_keys_are_processed", record, "no worker");
}

BOOST_AUTO_TEST_CASE(c17_lets_a_resync_at_the_end_wait_for_a_busy_worker) {
  Record record = good_record();
  record.closed = runtime::TimePoint{} + std::chrono::seconds(9);
  ClientRecord& client = record.clients.front();
  client.slowest = std::chrono::milliseconds(5);
  client.resync = std::chrono::seconds(1);
  WorkRecord added{WorkType::Added, "default/a", ""};
  added.client = client.name;
  added.at = record.closed - client.slowest;
  record.work = {added};
  BOOST_TEST(!finding_of("dirty_keys_are_processed", record).has_value());
  client.resync = {};
  check_breaks("dirty_keys_are_processed", record, "no worker");
  client.resync = std::chrono::seconds(1);
  record.work.front().at -= client.slowest;
  check_breaks("dirty_keys_are_processed", record, "no worker");
}

BOOST_AUTO_TEST_SUITE_END()
