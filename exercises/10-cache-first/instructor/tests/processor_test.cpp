// The hidden tests: what the visible ones leave open.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

#include "core/runtime/task.hpp"
#include "exercises/10-cache-first/recorder.hpp"
#include "exercises/10-cache-first/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;
using watchlab::runtime::sleep_for;
using watchlab::runtime::spawn;

// It comes before the changes, between two of them or after them: there is nothing else.
BOOST_AUTO_TEST_CASE(a_handler_that_comes_meanwhile_misses_nothing_and_gets_nothing_twice) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    Recorder early(cache);
    Recorder late(cache);
    const auto processor = make_processor(runtime, cache);
    const auto one = processor->add_handler(early, false);
    processor->process(change(ChangeType::Added, object("a", "1")), false);
    const auto worker = spawn(runtime, "worker", [&] {
      processor->process(change(ChangeType::Updated, object("a", "2")), false);
      processor->process(change(ChangeType::Added, object("b", "3")), false);
    });
    const auto two = processor->add_handler(late, false);
    worker.join();
    expect_equal(early.calls_of("a"), "add a@1, update a@1->a@2");
    const std::string of_a = late.calls_of("a");
    expect(of_a == "was a@1, update a@1->a@2" || of_a == "was a@2", "a comes once: " + of_a);
    const std::string of_b = late.calls_of("b");
    expect(of_b == "add b@3" || of_b == "was b@3", "b comes once: " + of_b);
  });
}

BOOST_AUTO_TEST_CASE(of_two_calls_one_is_processed_before_the_other) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    Recorder handler(cache);
    handler.take_time(runtime);
    const auto processor = make_processor(runtime, cache);
    const auto registration = processor->add_handler(handler, false);
    const auto other = spawn(runtime, "other", [&] {
      processor->process(
          {{ChangeType::Added, object("a", "1")}, {ChangeType::Deleted, object("a", "2")}}, false);
    });
    processor->process(
        {{ChangeType::Added, object("a", "3")}, {ChangeType::Deleted, object("a", "4")}}, false);
    other.join();
    const std::string one = "add a@1 (a@1), delete a@2 (null)";
    const std::string two = "add a@3 (a@3), delete a@4 (null)";
    expect(handler.calls() == one + ", " + two || handler.calls() == two + ", " + one,
           "the changes of one call come first: " + handler.calls());
  });
}

BOOST_AUTO_TEST_CASE(a_handler_is_in_no_call_when_its_removal_has_come_back) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    Recorder first(cache);
    Recorder second(cache);
    first.take_time(runtime);
    second.take_time(runtime);
    const auto processor = make_processor(runtime, cache);
    const auto one = processor->add_handler(first, false);
    const auto two = processor->add_handler(second, false);
    const auto worker = spawn(runtime, "worker", [&] {
      processor->process(
          {{ChangeType::Added, object("a", "1")}, {ChangeType::Deleted, object("a", "2")}}, false);
    });
    sleep_for(runtime, std::chrono::milliseconds(500));
    two->remove();
    expect(!second.is_in_call(), "it is in no call");
    const std::string calls = second.calls();
    worker.join();
    expect_equal(second.calls(), calls);
    expect_equal(first.calls_of("a"), "add a@1, delete a@2");
  });
}

BOOST_AUTO_TEST_CASE(versions_are_equal_or_not_and_nothing_else) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    Recorder handler(cache);
    const auto processor = make_processor(runtime, cache);
    const auto registration = processor->add_handler(handler, false);
    for (const char* const version : {"10", "9", "2", "010"}) {
      processor->process(change(ChangeType::Updated, object("a", version)), false);
    }
    expect_equal(handler.calls_of("a"),
                 "add a@10, update a@10->a@9, update a@9->a@2, "
                 "update a@2->a@010");
    expect_equal(text_of(cache.get("a")), "a@010");
  });
}

// The version decides, not the type: of each type there is a repetition and a new state.
BOOST_AUTO_TEST_CASE(a_repetition_is_what_has_the_version_of_the_cache) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    Recorder with(cache);
    Recorder without(cache);
    const auto processor = make_processor(runtime, cache);
    const auto one = processor->add_handler(with, true);
    const auto two = processor->add_handler(without, false);
    processor->process(change(ChangeType::Added, object("a", "1")), false);
    const auto repeated = object("a", "1");
    processor->process(change(ChangeType::Replaced, repeated), true);
    expect(cache.get("a") == repeated, "a repetition is stored");
    processor->process(change(ChangeType::Updated, object("a", "1")), false);
    processor->process(change(ChangeType::Sync, object("a", "2")), false);
    expect_equal(without.calls_of("a"), "add a@1, update a@1->a@2");
    expect_equal(with.calls_of("a"), "add a@1, update a@1->a@1, update a@1->a@1, update a@1->a@2");
    expect_equal(cache.puts(), 4);
  });
}

BOOST_AUTO_TEST_CASE(a_deletion_is_that_of_the_change_also_where_the_cache_has_nothing) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    Recorder handler(cache);
    const auto processor = make_processor(runtime, cache);
    const auto registration = processor->add_handler(handler, false);
    processor->process({{ChangeType::Deleted, object("a", "7"), true},
                        {ChangeType::Added, object("a", "8")},
                        {ChangeType::Deleted, object("a", "8")},
                        {ChangeType::Added, object("a", "9")}},
                       false);
    expect_equal(handler.calls(),
                 "missed a@7 (null), add a@8 (a@8), delete a@8 (null), "
                 "add a@9 (a@9)");
  });
}

BOOST_AUTO_TEST_CASE(namespaces_keep_objects_apart) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    cache.put(object("a", "1"));
    Recorder handler(cache);
    const auto processor = make_processor(runtime, cache);
    const auto registration = processor->add_handler(handler, false);
    processor->process(change(ChangeType::Added, object("blue/a", "2")), false);
    processor->process(change(ChangeType::Added, object("green/a", "3")), false);
    processor->process(change(ChangeType::Deleted, object("blue/a", "4")), false);
    expect_equal(handler.calls(),
                 "was a@1 (a@1), add blue/a@2 (blue/a@2), "
                 "add green/a@3 (green/a@3), delete blue/a@4 (null)");
    expect_equal(text_of(cache.get("a")), "a@1");
  });
}

BOOST_AUTO_TEST_CASE(handlers_come_and_go_and_the_others_do_not_notice) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    Recorder first(cache);
    Recorder second(cache);
    Recorder third(cache);
    const auto processor = make_processor(runtime, cache);
    const auto one = processor->add_handler(first, false);
    const auto two = processor->add_handler(second, true);
    const auto three = processor->add_handler(third, false);
    const auto worker = spawn(runtime, "worker", [&] {
      processor->process(change(ChangeType::Added, object("a", "1")), false);
    });
    two->remove();
    worker.join();
    processor->process(change(ChangeType::Sync, object("a", "1")), false);
    processor->process(change(ChangeType::Updated, object("a", "2")), false);
    const std::string calls = "add a@1, update a@1->a@2";
    expect_equal(first.calls_of("a"), calls);
    expect_equal(third.calls_of("a"), calls);
    const std::string before_it_went = second.calls_of("a");
    expect(before_it_went.empty() || before_it_went == "add a@1", "the second one went");
    const auto again = processor->add_handler(second, true);
    processor->process(change(ChangeType::Sync, object("a", "2")), false);
    expect_equal(second.calls_of("a"), (before_it_went.empty() ? "" : before_it_went + ", ") +
                                           std::string("was a@2, update a@2->a@2"));
  });
}
