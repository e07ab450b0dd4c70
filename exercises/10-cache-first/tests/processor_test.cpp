// The visible tests of your processor.
#include <boost/test/unit_test.hpp>

#include "exercises/10-cache-first/recorder.hpp"
#include "exercises/10-cache-first/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;

BOOST_AUTO_TEST_CASE(a_handler_finds_in_the_cache_what_it_is_notified_of) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    Recorder handler(cache);
    const auto processor = make_processor(runtime, cache);
    const auto registration = processor->add_handler(handler, false);
    processor->process(change(ChangeType::Added, object("a", "1")), false);
    expect_equal(handler.calls(), "add a@1 (a@1)");
  });
}

BOOST_AUTO_TEST_CASE(an_update_has_the_state_before_and_the_new_one) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    cache.put(object("a", "1"));
    const auto processor = make_processor(runtime, cache);
    Recorder handler(cache);
    const auto registration = processor->add_handler(handler, false);
    processor->process(change(ChangeType::Updated, object("a", "2")), false);
    expect_equal(handler.calls(), "was a@1 (a@1), update a@1->a@2 (a@2)");
  });
}

BOOST_AUTO_TEST_CASE(the_cache_decides_what_the_call_is) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    Recorder handler(cache);
    const auto processor = make_processor(runtime, cache);
    const auto registration = processor->add_handler(handler, false);
    processor->process(change(ChangeType::Updated, object("a", "1")), false);
    processor->process(change(ChangeType::Added, object("a", "2")), false);
    processor->process(change(ChangeType::Replaced, object("b", "3")), false);
    processor->process(change(ChangeType::Replaced, object("b", "4")), false);
    expect_equal(handler.calls_of("a"), "add a@1, update a@1->a@2");
    expect_equal(handler.calls_of("b"), "add b@3, update b@3->b@4");
  });
}

BOOST_AUTO_TEST_CASE(a_deletion_is_delivered_when_the_object_is_gone) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    cache.put(object("a", "1"));
    const auto processor = make_processor(runtime, cache);
    Recorder handler(cache);
    const auto registration = processor->add_handler(handler, false);
    processor->process(change(ChangeType::Deleted, object("a", "2")), false);
    expect_equal(handler.calls(), "was a@1 (a@1), delete a@2 (null)");
    expect_equal(text_of(cache.get("a")), "null");
  });
}

BOOST_AUTO_TEST_CASE(a_missed_deletion_says_so) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    Recorder handler(cache);
    const auto processor = make_processor(runtime, cache);
    const auto registration = processor->add_handler(handler, false);
    processor->process(change(ChangeType::Added, object("a", "1")), false);
    processor->process(change(ChangeType::Deleted, object("a", "1"), true), false);
    expect_equal(handler.calls_of("a"), "add a@1, missed a@1");
  });
}

BOOST_AUTO_TEST_CASE(changes_are_taken_one_by_one) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    Recorder handler(cache);
    const auto processor = make_processor(runtime, cache);
    const auto registration = processor->add_handler(handler, false);
    processor->process({{ChangeType::Added, object("a", "1")},
                        {ChangeType::Updated, object("a", "2")},
                        {ChangeType::Deleted, object("a", "3")}},
                       false);
    expect_equal(handler.calls(), "add a@1 (a@1), update a@1->a@2 (a@2), delete a@3 (null)");
  });
}

BOOST_AUTO_TEST_CASE(a_repetition_is_for_those_that_want_resyncs) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    Recorder with(cache);
    Recorder without(cache);
    const auto processor = make_processor(runtime, cache);
    const auto one = processor->add_handler(with, true);
    const auto two = processor->add_handler(without, false);
    processor->process(change(ChangeType::Added, object("a", "1")), false);
    processor->process(change(ChangeType::Sync, object("a", "1")), false);
    expect_equal(with.calls_of("a"), "add a@1, update a@1->a@1");
    expect_equal(without.calls_of("a"), "add a@1");
  });
}

BOOST_AUTO_TEST_CASE(what_the_first_list_shows_was_there) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    Recorder handler(cache);
    const auto processor = make_processor(runtime, cache);
    const auto registration = processor->add_handler(handler, false);
    processor->process(change(ChangeType::Replaced, object("a", "1")), true);
    processor->process(change(ChangeType::Replaced, object("b", "1")), false);
    expect_equal(handler.calls(), "was a@1 (a@1), add b@1 (b@1)");
  });
}

BOOST_AUTO_TEST_CASE(a_late_handler_gets_what_is_there_and_then_what_all_get) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    Recorder early(cache);
    Recorder late(cache);
    const auto processor = make_processor(runtime, cache);
    const auto one = processor->add_handler(early, false);
    processor->process(change(ChangeType::Added, object("a", "1")), false);
    processor->process(change(ChangeType::Added, object("b", "1")), false);
    const auto two = processor->add_handler(late, false);
    processor->process(change(ChangeType::Updated, object("a", "2")), false);
    expect_equal(early.calls_of("a"), "add a@1, update a@1->a@2");
    expect_equal(early.calls_of("b"), "add b@1");
    expect_equal(late.calls_of("a"), "was a@1, update a@1->a@2");
    expect_equal(late.calls_of("b"), "was b@1");
  });
}

BOOST_AUTO_TEST_CASE(a_removed_handler_is_called_no_more) {
  in_every_world([](Runtime& runtime) {
    LockedCache cache(runtime);
    Recorder handler(cache);
    const auto processor = make_processor(runtime, cache);
    const auto registration = processor->add_handler(handler, false);
    processor->process(change(ChangeType::Added, object("a", "1")), false);
    registration->remove();
    processor->process(change(ChangeType::Updated, object("a", "2")), false);
    expect_equal(handler.calls(), "add a@1 (a@1)");
    expect_equal(text_of(cache.get("a")), "a@2");
  });
}
