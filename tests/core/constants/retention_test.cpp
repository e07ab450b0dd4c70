// The constants of the original that say how long something is kept.
#include <boost/test/unit_test.hpp>

#include "core/cache/cache.hpp"
#include "core/cache/mutation_detector.hpp"
#include "core/port/expiration_cache.hpp"
#include "core/port/mutation_cache.hpp"
#include "tests/core/cache/queues.hpp"
#include "tests/core/cache/scripted_server.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(retention_test)

BOOST_AUTO_TEST_CASE(a_mutation_is_found_within_a_second) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const runtime::TimePoint start = runtime.now();
    std::string found;
    cache::MutationDetector detector(runtime, {.on_mutation = [&](const cache::Mutation&) {
                                       found += std::to_string((runtime.now() - start) / 1ms) + " ";
                                     }});
    const api::ObjectPtr victim = object("a");
    detector.add_object(victim);
    runtime::StopSource stop(runtime);
    const auto task = runtime::spawn(runtime, "detector", [&] { detector.run(stop.token()); });
    runtime::sleep_for(runtime, 1500ms);
    const_cast<api::Object&>(*victim).kind = "Changed";
    runtime::sleep_for(runtime, 2s);
    stop.stop();
    task.join();
    // It reports again; what matters is the first time.
    expect_equal(found, "2000 3000 ");
  });
}

BOOST_AUTO_TEST_CASE(an_object_is_watched_for_two_minutes_at_least_and_four_at_most) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    cache::MutationDetector detector(runtime, {.on_mutation = [](const auto&) {}});
    runtime::StopSource stop(runtime);
    const auto task = runtime::spawn(runtime, "detector", [&] { detector.run(stop.token()); });
    runtime::sleep_for(runtime, 1min);
    const api::ObjectPtr watched = object("a");
    detector.add_object(watched);
    const runtime::TimePoint added = runtime.now();
    while (watched.use_count() > 1) {
      runtime::sleep_for(runtime, 1s);
    }
    const runtime::Duration kept = runtime.now() - added;
    expect(2min < kept && kept < 4min, fmt::format("it was kept for {} s", kept / 1s));
    stop.stop();
    task.join();
  });
}

BOOST_AUTO_TEST_CASE(own_writes_are_shown_for_five_minutes_and_no_more_than_a_hundred) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const cache::Cache backing(runtime);
    cache::MutationCache view(runtime, {.backing = &backing, .include_adds = true});
    for (int i = 0; i < 101; ++i) {
      view.mutation(object("o" + std::to_string(i)));
    }
    expect(view.get_by_key("o0") == nullptr, "the oldest of 101 is gone");
    expect(view.get_by_key("o1") != nullptr, "a hundred are kept");
    runtime::sleep_for(runtime, 5min);
    expect(view.get_by_key("o2") != nullptr, "up to the last moment");
    runtime::sleep_for(runtime, 1ns);
    expect(view.get_by_key("o2") == nullptr, "and no longer");
  });
}

BOOST_AUTO_TEST_CASE(an_entry_with_a_time_to_live_is_there_in_its_last_moment) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto store = cache::make_ttl_store(runtime, 10s);
    expect_ok(store->add(object("a")));
    runtime::sleep_for(runtime, 10s);
    expect(store->get_by_key("a") != nullptr, "exactly at its end");
    runtime::sleep_for(runtime, 1ns);
    expect(store->get_by_key("a") == nullptr, "after it");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
