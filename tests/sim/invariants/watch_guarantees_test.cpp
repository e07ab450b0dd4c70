#include <boost/test/unit_test.hpp>
#include <functional>

#include "sim/faults/fault_catalogue.hpp"
#include "sim/invariants/families.hpp"
#include "sim/story/story.hpp"
#include "tests/sim/invariants/records.hpp"
#include "tests/support/campaign.hpp"

using namespace watchlab;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(watch_guarantees_test)

namespace {

std::vector<FrameRecord>& frames(Record& record) { return record.answers[1].frames; }

/// What the guarantees say of a story in which the server breaks one of them by a fault.
std::vector<std::string> broken_with(const std::string& fault) {
  std::vector<std::string> broken;
  fails_somewhere(
      [&](runtime::Runtime& runtime) {
        Story story(runtime, {.clients = {{.name = "informer"}}});
        expect(story.wait_for({.kind = Condition::Kind::Watching}), "the informer watches");
        story.create({.name = "a"});
        story.wait(1s);
        story.inject({.name = fault, .times = 1});
        story.create({.name = "b"});
        story.wait(1s);
        story.create({.name = "c"});
        story.wait(1s);
        story.abandon();
        broken.clear();
        for (const Invariant& guarantee : invariants::of_watches()) {
          if (guarantee.check(story.record())) {
            broken.emplace_back(guarantee.name);
          }
        }
        expect(broken.empty(), "a guarantee is broken");
      },
      "violation", "a guarantee is broken");
  return broken;
}

}  // namespace

BOOST_AUTO_TEST_CASE(w1_breaks_when_a_revision_comes_after_a_newer_one) {
  Record record = good_record();
  std::swap(frames(record)[0], frames(record)[1]);
  check_breaks("watch_is_ordered", record, "delivers 4 after 5");
}

BOOST_AUTO_TEST_CASE(w1_asks_for_no_order_in_the_first_state_of_a_watch_from_0) {
  Record record = good_record();
  record.requests[1].options.resource_version = "0";
  frames(record) = {frame(watch::EventType::Added, "b", "3"),
                    frame(watch::EventType::Added, "a", "2")};
  BOOST_TEST(!finding_of("watch_is_ordered", record).has_value());
}

BOOST_AUTO_TEST_CASE(w2_breaks_when_an_event_comes_twice) {
  Record record = good_record();
  frames(record).push_back(frames(record).front());
  check_breaks("watch_is_unique", record, "default/a at 4 twice");
}

BOOST_AUTO_TEST_CASE(w2_lets_a_bookmark_come_again) {
  Record record = good_record();
  frames(record).push_back(frame(watch::EventType::Bookmark, "", "6"));
  frames(record).push_back(frame(watch::EventType::Bookmark, "", "6"));
  BOOST_TEST(!finding_of("watch_is_unique", record).has_value());
}

BOOST_AUTO_TEST_CASE(w3_breaks_when_an_event_carries_another_content_than_was_written) {
  Record record = good_record();
  api::Object changed = *object("a", "4");
  changed.body = R"({"data":{}})";
  frames(record)[0].event.object = api::share(std::move(changed));
  check_breaks("watch_is_atomic", record, "default/a at 4");
}

BOOST_AUTO_TEST_CASE(w3_breaks_when_an_event_carries_a_state_that_no_write_made) {
  Record record = good_record();
  frames(record)[0] = frame(watch::EventType::Modified, "b", "4");
  check_breaks("watch_is_atomic", record, "default/b at 4");
}

BOOST_AUTO_TEST_CASE(w4_breaks_when_a_bookmark_is_older_than_an_event) {
  Record record = good_record();
  frames(record).push_back(frame(watch::EventType::Bookmark, "", "4"));
  check_breaks("watch_is_bookmarkable", record, "marked at 4 after");
}

BOOST_AUTO_TEST_CASE(w4_breaks_when_an_event_is_no_newer_than_the_bookmark_before_it) {
  Record record = good_record();
  frames(record).insert(frames(record).begin(), frame(watch::EventType::Bookmark, "", "4"));
  check_breaks("watch_is_bookmarkable", record, "delivers 4 after it was marked");
}

BOOST_AUTO_TEST_CASE(w5_breaks_when_a_write_is_left_out_between_two_events) {
  Record record = good_record();
  record.revision = "7";
  record.writes.push_back({.key = "default/c", .revision = "6", .object = object("c", "6")});
  record.writes.push_back({.key = "default/c", .revision = "7", .object = object("c", "7")});
  frames(record).push_back(frame(watch::EventType::Modified, "c", "7"));
  check_breaks("watch_is_reliable", record, "leaves out default/c at 6");
}

BOOST_AUTO_TEST_CASE(w6_breaks_when_the_first_write_after_the_revision_is_left_out) {
  Record record = good_record();
  frames(record).erase(frames(record).begin());
  check_breaks("watch_is_resumable", record, "leaves out default/a at 4");
}

BOOST_AUTO_TEST_CASE(w5_and_w6_ask_nothing_of_a_watch_that_need_not_deliver_every_write) {
  const std::vector<std::function<void(Record&)>> reasons = {
      [](Record& record) { record.requests[1].options.resource_version = "0"; },
      [](Record& record) { record.requests[1].options.label_selector = "tier=web"; },
      [](Record& record) { record.requests[1].options.field_selector = "metadata.name=b"; },
      [](Record& record) { record.requests[1].lost = 1; },
      [](Record& record) { record.clients[0].namespace_ = "default"; },
      [](Record& record) { record.writes[0].resource = "pods"; },
  };
  Record without_two = good_record();
  without_two.writes.push_back({.key = "default/c", .revision = "6", .object = object("c", "6")});
  frames(without_two) = {frame(watch::EventType::Deleted, "b", "5"),
                         frame(watch::EventType::Modified, "c", "7")};
  check_breaks("watch_is_reliable", without_two, "leaves out default/c at 6");
  check_breaks("watch_is_resumable", without_two, "leaves out default/a at 4");
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    Record record = without_two;
    reasons[i](record);
    BOOST_TEST(!finding_of("watch_is_reliable", record).has_value(), "reason " << i);
    BOOST_TEST(!finding_of("watch_is_resumable", record).has_value(), "reason " << i);
  }
}

BOOST_AUTO_TEST_CASE(a_server_that_replays_an_event_breaks_a_guarantee) {
  const std::vector<std::string> broken = broken_with("replay_event");
  BOOST_TEST(std::count(broken.begin(), broken.end(), "watch_is_unique") == 1);
}

BOOST_AUTO_TEST_CASE(a_server_that_repeats_a_revision_is_not_atomic) {
  const std::vector<std::string> broken = broken_with("repeat_revision");
  BOOST_TEST(std::count(broken.begin(), broken.end(), "watch_is_atomic") == 1);
}

BOOST_AUTO_TEST_CASE(whatever_suspends_an_invariant_is_an_illegal_fault) {
  const std::vector<FaultEntry>& faults = fault_catalogue();
  for (const Invariant& invariant : invariant_catalogue()) {
    for (const std::string_view name : invariant.suspended_by) {
      const auto found = std::find_if(faults.begin(), faults.end(),
                                      [&](const FaultEntry& fault) { return fault.name == name; });
      BOOST_TEST((found != faults.end() && found->legality == Legality::Illegal),
                 invariant.name << " is suspended by " << name);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
