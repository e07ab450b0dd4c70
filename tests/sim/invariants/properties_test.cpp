#include <boost/test/unit_test.hpp>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/invariants/invariant_catalogue.hpp"
#include "tests/sim/invariants/records.hpp"

using namespace watchlab;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(properties_test)

namespace {

const runtime::TimePoint start{};

/// A request of the informer that came that long after the end of the one before.
RequestRecord next_request(Verb verb, const std::string& revision, runtime::Duration delay) {
  RequestRecord made = request(verb, revision);
  made.delay = delay;
  return made;
}

/// A second handler that hears what the first hears.
Record with_two_handlers() {
  Record record = good_record();
  record.clients.front().keeps_deltas = false;
  record.clients.front().handlers.emplace_back("other");
  const std::vector<CallRecord> calls = record.calls;
  for (CallRecord call : calls) {
    call.handler = "other";
    record.calls.push_back(std::move(call));
  }
  return record;
}

/// A change that came to the store at the revision of its object, or with the deletion after it.
std::string revision_of_call(const CallRecord& call) {
  return call.type == CallType::Delete ? "5" : std::string(call.object->metadata.resource_version);
}

}  // namespace

BOOST_AUTO_TEST_CASE(i1_breaks_when_a_healed_client_has_no_watch) {
  Record record = good_record();
  record.requests.back().end = StreamEnd::Closed;
  check_breaks("healed_worlds_converge", record, "no open watch");
}

BOOST_AUTO_TEST_CASE(i1_breaks_when_a_healed_store_lacks_an_object) {
  Record record = good_record();
  record.stores["informer"].clear();
  check_breaks("healed_worlds_converge", record, "default/a at 4 is missing");
}

BOOST_AUTO_TEST_CASE(i1_waits_for_the_healing) {
  Record record = good_record();
  record.stores["informer"].clear();
  record.faults = {{.name = "freeze_server", .as = "freeze_server"}};
  BOOST_TEST(!finding_of("healed_worlds_converge", record).has_value());
}

BOOST_AUTO_TEST_CASE(i2_breaks_when_a_handler_was_notified_of_nothing_at_all) {
  Record record = with_two_handlers();
  std::erase_if(record.calls, [](const CallRecord& call) { return call.handler == "other"; });
  check_breaks("notifications_fold_to_the_store", record, "other received");
}

BOOST_AUTO_TEST_CASE(i2_asks_nothing_of_a_handler_that_has_left) {
  Record record = with_two_handlers();
  record.calls.pop_back();
  record.clients.front().handlers.pop_back();
  BOOST_TEST(!finding_of("notifications_fold_to_the_store", record).has_value());
}

BOOST_AUTO_TEST_CASE(i3_breaks_when_a_handler_receives_an_older_revision) {
  Record record = good_record();
  record.calls.push_back(call(CallType::Update, "a", "2"));
  check_breaks("handlers_never_go_back", record, "after 4");
}

BOOST_AUTO_TEST_CASE(i4_breaks_when_a_handler_never_receives_the_last_state) {
  Record record = good_record();
  std::erase_if(record.calls, [](const CallRecord& each) { return each.type == CallType::Delete; });
  check_breaks("final_states_arrive", record, "default/b at 3 is too much");
}

BOOST_AUTO_TEST_CASE(i4_breaks_when_a_worker_saw_an_older_state_last) {
  Record record = good_record();
  record.clients.front().workers = true;
  record.work = {
      {.type = WorkType::Done, .key = "default/a", .client = "informer", .revision = "2"}};
  check_breaks("final_states_arrive", record, "the workers of informer");
}

BOOST_AUTO_TEST_CASE(i5_breaks_when_a_synced_handler_is_notified_of_the_first_list) {
  Record record = good_record();
  record.calls[1].synced = true;
  check_breaks("synced_means_told", record, "although it has synced");
}

BOOST_AUTO_TEST_CASE(i5_breaks_when_a_client_syncs_without_a_list) {
  Record record = good_record();
  record.requests.front().answer = AnswerKind::Refused;
  check_breaks("synced_means_told", record, "never had a list");
}

BOOST_AUTO_TEST_CASE(i6_breaks_when_a_quiet_client_has_not_synced) {
  Record record = good_record();
  record.clients.front().synced = false;
  check_breaks("syncing_ends", record, "has not synced");
}

BOOST_AUTO_TEST_CASE(i7_breaks_when_clients_take_long_to_end) {
  Record record = good_record();
  record.ending = 11s;
  check_breaks("ends_come_soon", record, "11.0 s");
}

BOOST_AUTO_TEST_CASE(i7_gives_slow_handlers_their_time) {
  Record record = good_record();
  record.ending = 11s;
  record.clients.front().slowest = 1s;
  BOOST_TEST(!finding_of("ends_come_soon", record).has_value());
}

BOOST_AUTO_TEST_CASE(i8_breaks_when_a_request_is_left_without_an_answer) {
  Record record = good_record();
  record.left_pending = {"LIST rv=0 of informer"};
  check_breaks("nothing_is_left_behind", record, "LIST rv=0 of informer");
}

BOOST_AUTO_TEST_CASE(i11_breaks_when_a_refused_watch_is_tried_again_at_once) {
  Record record = good_record();
  record.requests.back().end.reset();
  record.requests.back().answer = AnswerKind::Refused;
  record.requests.push_back(next_request(Verb::Watch, "3", 100ms));
  check_breaks("failures_are_followed_by_a_pause", record, "100 ms after its WATCH");
}

BOOST_AUTO_TEST_CASE(i11_breaks_when_an_empty_short_watch_is_opened_again_at_once) {
  Record record = good_record();
  record.requests.back().end = StreamEnd::Closed;
  record.requests.back().ended = record.requests.back().at + 10ms;
  record.requests.push_back(next_request(Verb::Watch, "3", 0ms));
  check_breaks("failures_are_followed_by_a_pause", record, "0 ms after");
}

BOOST_AUTO_TEST_CASE(i11_takes_a_connection_that_ends_without_an_answer_for_a_watch_that_ends) {
  for (const StreamEnd end : {StreamEnd::Closed, StreamEnd::Cut}) {
    Record record = good_record();
    RequestRecord& last = record.requests.back();
    last.answer = AnswerKind::Reset;
    last.end = end;
    last.ended = last.at + 2s;
    record.requests.push_back(next_request(Verb::Watch, "3", 0ms));
    BOOST_TEST(!finding_of("failures_are_followed_by_a_pause", record).has_value());
    RequestRecord& quick = record.requests[record.requests.size() - 2];
    quick.ended = quick.at + 10ms;
    check_breaks("failures_are_followed_by_a_pause", record, "0 ms after");
  }
}

BOOST_AUTO_TEST_CASE(i11_lets_an_expired_list_be_followed_by_one_of_the_newest_state) {
  Record record = good_record();
  record.requests = {request(Verb::List, "3"), next_request(Verb::List, "", 0ms)};
  record.requests.front().answer = AnswerKind::Expired;
  BOOST_TEST(!finding_of("failures_are_followed_by_a_pause", record).has_value());
}

BOOST_AUTO_TEST_CASE(i14_breaks_when_an_index_lacks_a_key) {
  Record record = good_record();
  api::Object labelled = *object("a", "4");
  labelled.metadata.labels["colour"] = "red";
  record.stores["informer"] = {std::make_shared<const api::Object>(labelled)};
  record.indices["informer"] = {};
  check_breaks("indices_are_recomputable", record, "[default/a]");
}

BOOST_AUTO_TEST_CASE(i14_breaks_when_an_index_keeps_a_value_that_is_gone) {
  Record record = good_record();
  record.indices["informer"] = {{"colour=red", {"default/a"}}};
  check_breaks("indices_are_recomputable", record, "which no object has");
}

BOOST_AUTO_TEST_CASE(i15_breaks_when_a_relist_asks_for_any_state) {
  Record record = good_record();
  record.requests.push_back(request(Verb::List, "0"));
  check_breaks("requests_never_go_back", record, "LIST at 0 although it has received 5");
}

BOOST_AUTO_TEST_CASE(i15_breaks_when_a_watch_ignores_what_came_on_the_last) {
  Record record = good_record();
  record.requests.push_back(request(Verb::Watch, "3"));
  check_breaks("requests_never_go_back", record, "WATCH at 3");
}

BOOST_AUTO_TEST_CASE(i16_breaks_when_a_watch_names_a_revision_no_answer_has_carried) {
  Record record = good_record();
  record.requests.back().options.resource_version = "4";
  check_breaks("requests_name_what_was_told", record, "at 4, which it has not received");
}

BOOST_AUTO_TEST_CASE(i17_breaks_when_a_stored_object_was_changed) {
  using Change = void (*)(api::Object&);
  const std::vector<std::pair<std::string_view, Change>> changes{
      {"label", [](api::Object& object) { object.metadata.labels["colour"] = "red"; }},
      {"annotation", [](api::Object& object) { object.metadata.annotations["note"] = "seen"; }},
      {"finalizer",
       [](api::Object& object) { object.metadata.finalizers.push_back("of.us/last"); }},
      {"owner",
       [](api::Object& object) {
         object.metadata.other_members = R"({"ownerReferences":[{"uid":"u"}]})";
       }},
      {"generation", [](api::Object& object) { ++object.metadata.generation; }},
      {"time", [](api::Object& object) { object.metadata.deletion_timestamp = "2025-01-01"; }},
      {"uid", [](api::Object& object) { object.metadata.uid = "another"; }},
      {"kind", [](api::Object& object) { object.kind = "Secret"; }},
      {"body", [](api::Object& object) { object.body = R"({"data":{"a":"b"}})"; }},
  };
  for (const auto& [name, change] : changes) {
    BOOST_TEST_CONTEXT(name) {
      Record record = good_record();
      api::Object changed = *object("a", "4");
      change(changed);
      record.stores["informer"] = {std::make_shared<const api::Object>(changed)};
      check_breaks("stored_objects_are_unchanged", record, "another content");
      // What was there already and is gone is a change, too.
      std::swap(record.writes[2].object, record.stores["informer"].front());
      check_breaks("stored_objects_are_unchanged", record, "another content");
    }
  }
}

BOOST_AUTO_TEST_CASE(i18_breaks_when_a_resync_brings_something_back) {
  Record record = good_record();
  record.deltas.push_back(delta(DeltaType::Sync, "b", "3"));
  check_breaks("resyncs_change_nothing", record, "which is not there");
}

BOOST_AUTO_TEST_CASE(i18_breaks_when_a_resync_delivers_an_older_state) {
  Record record = good_record();
  record.deltas.push_back(delta(DeltaType::Sync, "a", "2"));
  check_breaks("resyncs_change_nothing", record, "which is at 4");
}

BOOST_AUTO_TEST_CASE(i19_breaks_when_a_stopped_client_asks_again) {
  Record record = good_record();
  record.stopped["informer"] = start;
  record.requests.push_back(request(Verb::List, "3"));
  record.requests.back().at = start + 1ms;
  check_breaks("stopped_clients_ask_for_nothing", record, "after it was asked");
}

BOOST_AUTO_TEST_CASE(i20_breaks_when_a_good_watch_is_followed_by_a_list) {
  Record record = good_record();
  record.requests.back().end = StreamEnd::Closed;
  record.requests.back().events = 2;
  record.requests.back().ended = record.requests.back().at + 10ms;
  record.requests.push_back(request(Verb::List, "5"));
  check_breaks("relists_have_a_reason", record, "WATCH at 3 was closed");
}

BOOST_AUTO_TEST_CASE(i20_lets_a_watch_that_ended_at_once_be_followed_by_a_list) {
  Record record = good_record();
  record.requests.back().end = StreamEnd::Closed;
  record.requests.back().ended = record.requests.back().at + 10ms;
  record.requests.push_back(request(Verb::List, "3"));
  BOOST_TEST(!finding_of("relists_have_a_reason", record).has_value());
}

BOOST_AUTO_TEST_CASE(i21_breaks_when_a_handler_is_notified_of_what_was_written_after_it_left) {
  Record record = with_two_handlers();
  record.handlers = {{.client = "informer", .name = "other", .joined = start, .left = start + 1ms}};
  BOOST_TEST(!finding_of("handlers_that_left_are_left_alone", record).has_value());
  record.writes.back().at = start + 2ms;
  record.calls.back().object = object("b", "5");
  check_breaks("handlers_that_left_are_left_alone", record, "which is newer");
}

BOOST_AUTO_TEST_CASE(i22_breaks_when_two_handlers_receive_in_different_orders) {
  Record record = with_two_handlers();
  std::swap(record.calls[6], record.calls[7]);
  check_breaks("handlers_hear_in_one_order", record, "later than");
}

BOOST_AUTO_TEST_CASE(what_extends_a_broken_clause_is_not_reported_beside_it) {
  Record record = good_record();
  record.stores["informer"] = {object("a", "2")};
  record.deltas.clear();
  for (const std::string& sentence : broken_invariants(record, {})) {
    BOOST_TEST(!sentence.starts_with("I1 "), sentence);
  }
}

BOOST_AUTO_TEST_CASE(a_fault_that_suspends_a_property_keeps_it_from_being_looked_at) {
  Record record = good_record();
  record.clients.front().informer = false;
  record.requests.push_back(request(Verb::Watch, "3"));
  const auto is_reported = [&record] {
    for (const std::string& sentence : broken_invariants(record, {})) {
      if (sentence.starts_with("I15 ")) {
        return true;
      }
    }
    return false;
  };
  record.faults = {{.name = "wrong_kind", .legal = false, .in_place = false}};
  BOOST_TEST(is_reported());
  record.faults = {{.name = "revision_back", .legal = false, .in_place = false}};
  BOOST_TEST(!is_reported());
}

BOOST_AUTO_TEST_CASE(i35_holds_of_a_store_that_says_what_it_holds_or_less) {
  Record record = good_record();
  BOOST_TEST(!finding_of("store_is_as_new_as_it_says", record).has_value());
  for (CallRecord& call : record.calls) {
    call.reached = revision_of_call(call);
  }
  for (const char* said : {"5", "4", "2", ""}) {
    record.store_versions["informer"] = said;
    BOOST_TEST(!finding_of("store_is_as_new_as_it_says", record).has_value(), said);
  }
  record.calls[2].reached = "2";  // it held the change before it said so
  BOOST_TEST(!finding_of("store_is_as_new_as_it_says", record).has_value());
}

BOOST_AUTO_TEST_CASE(i35_breaks_when_a_handler_is_called_before_the_store_holds_what_it_says) {
  Record record = good_record();
  record.calls[0].reached = "4";
  check_breaks("store_is_as_new_as_it_says", record, "has come to 4 and holds default/a at 2");
  record.calls[0].cached = "";
  check_breaks("store_is_as_new_as_it_says", record, "has come to 4 and does not hold default/a");
  record.calls[0] = call(CallType::Add, "b", "3");
  record.calls[0].reached = "5";
  check_breaks("store_is_as_new_as_it_says", record, "has come to 5 and holds default/b at 3");
}

BOOST_AUTO_TEST_CASE(i35_breaks_when_a_store_lacks_in_the_end_what_it_says) {
  Record record = good_record();
  record.store_versions["informer"] = "5";
  record.stores["informer"] = {object("a", "2")};
  check_breaks("store_is_as_new_as_it_says", record, "has come to 5 and holds default/a at 2");
  record.stores["informer"] = {object("a", "4"), object("b", "3")};
  check_breaks("store_is_as_new_as_it_says", record, "has come to 5 and holds default/b at 3");
  record.store_versions["informer"] = "4";
  BOOST_TEST(!finding_of("store_is_as_new_as_it_says", record).has_value());
}

/// A change takes an object out of what the client asks for, as a deletion does.
BOOST_AUTO_TEST_CASE(i35_looks_at_what_the_client_selects) {
  Record record = good_record();
  record.clients.front().namespace_ = "elsewhere";
  record.store_versions["informer"] = "5";
  record.stores["informer"].clear();
  BOOST_TEST(!finding_of("store_is_as_new_as_it_says", record).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
