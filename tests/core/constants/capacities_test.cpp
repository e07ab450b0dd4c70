// The constants of the original that say how much fits, or from when on something is unusual.
#include <boost/test/unit_test.hpp>

#include "core/cache/delta_fifo.hpp"
#include "core/cache/processor_listener.hpp"
#include "core/pager/list_pager.hpp"
#include "core/watch/broadcaster.hpp"
#include "core/watch/fake_watcher.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/kernel/world.hpp"
#include "tests/core/cache/queues.hpp"
#include "tests/core/cache/scripted_server.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(capacities_test)

namespace {

/// What a slow pop leaves in the log, with so many objects left in the queue while it processes.
std::size_t warnings_of_a_pop(std::size_t left, runtime::Duration takes) {
  sim::World world({.record = true});
  sim::FifoStrategy strategy;
  const sim::RunResult result = world.run(strategy, [&](runtime::Runtime& runtime) {
    cache::DeltaFIFO queue(runtime);
    for (std::size_t i = 0; i < left + 1; ++i) {
      expect_ok(queue.add(object("o" + std::to_string(i))));
    }
    (void)queue.pop([&](const cache::PopItem&, bool) -> cache::Processed {
      runtime::sleep_for(runtime, takes);
      return {};
    });
  });
  BOOST_TEST(!result.failure.has_value());
  return static_cast<std::size_t>(std::ranges::count_if(
      result.notes, [](const sim::NoteRecord& note) { return note.kind == "log"; }));
}

/// Lists of so many objects, as a pager asks for them.
struct PagedServer {
  std::size_t size;
  std::vector<std::int64_t> limits;

  api::Result<api::ObjectList> operator()(const runtime::StopToken&,
                                          const api::ListOptions& options) {
    limits.push_back(options.limit);
    const std::size_t first =
        options.continue_token.empty() ? 0 : std::stoul(options.continue_token);
    const std::size_t end = std::min(size, first + static_cast<std::size_t>(options.limit));
    api::ObjectList page = listing("1");
    for (std::size_t i = first; i < end; ++i) {
      page.items.push_back(object("o" + std::to_string(i)));
    }
    page.continue_token = end < size ? std::to_string(end) : "";
    return page;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_pop_is_slow_above_a_tenth_of_a_second_with_more_than_ten_waiting) {
  BOOST_TEST(warnings_of_a_pop(11, 101ms) == 1U);
  BOOST_TEST(warnings_of_a_pop(11, 100ms) == 0U);
  BOOST_TEST(warnings_of_a_pop(10, 101ms) == 0U);
}

BOOST_AUTO_TEST_CASE(a_pager_asks_for_500_at_a_time) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    PagedServer server{.size = 1001, .limits = {}};
    const pager::ListPager pager(runtime, std::ref(server));
    expect_equal(pager.list({}, {})->list.items.size(), 1001);
    expect(server.limits == std::vector<std::int64_t>{500, 500, 500}, "three pages");
  });
}

BOOST_AUTO_TEST_CASE(a_pager_fetches_ten_pages_ahead_and_holds_two_more_in_hand) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    PagedServer server{.size = 20 * 500, .limits = {}};
    const pager::ListPager pager(runtime, std::ref(server));
    std::size_t fetched = 0;
    const auto result = pager.each_list_item({}, {}, [&](const api::ObjectPtr&) {
      if (fetched == 0) {
        runtime::sleep_for(runtime, 1h);
        fetched = server.limits.size();
      }
      return api::Result<void>();
    });
    expect(result.ok(), "the visit is good");
    // One is being visited, ten wait, and one has no room any more.
    expect_equal(fetched, 12);
  });
}

BOOST_AUTO_TEST_CASE(a_broadcaster_takes_25_events_before_a_sender_must_wait) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    watch::Broadcaster broadcaster(runtime);
    const auto watcher = *broadcaster.watch();
    std::size_t taken = 0;
    while (*broadcaster.action_or_drop(added("a", "1"))) {
      ++taken;
      // So that the loop takes the first one, which no task reads.
      runtime::sleep_for(runtime, 1ms);
    }
    expect_equal(taken, 1 + 25);
    watcher->stop();
    broadcaster.shutdown();
  });
}

BOOST_AUTO_TEST_CASE(a_race_free_fake_holds_100_unread_events) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    watch::RaceFreeFakeWatcher watcher(runtime);
    for (int i = 0; i < 100; ++i) {
      watcher.action(added("a", "1"));
    }
    expect_panic([&] { watcher.action(added("a", "1")); }, "full");
  });
}

BOOST_AUTO_TEST_CASE(a_listener_keeps_more_than_its_first_1024_and_in_order) {
  // Far more than fits at first; the ring doubles twice.
  constexpr int kBurst = 1024 + 1024 + 3;
  sim::World world({.record = false});
  sim::FifoStrategy strategy;
  const sim::RunResult result = world.run(strategy, [&](runtime::Runtime& runtime) {
    int next = 0;
    cache::ProcessorListener listener(
        runtime, {.handler = cache::make_handler({.add =
                                                      [&](const api::ObjectPtr& object, bool) {
                                                        expect_equal(
                                                            object->metadata.resource_version,
                                                            std::to_string(next++));
                                                      }}),
                  .upstream_has_synced = [] { return true; }});
    const runtime::Task pop = runtime::spawn(runtime, "pop", [&] { listener.pop(); });
    for (int i = 0; i < kBurst; ++i) {
      listener.add(std::make_shared<const cache::Notification>(cache::AddNotification{
          .object = object("o", std::to_string(i)), .is_in_initial_list = false}));
    }
    const runtime::Task run = runtime::spawn(runtime, "run", [&] { listener.run(); });
    while (next < kBurst) {
      runtime::sleep_for(runtime, 1ms);
    }
    listener.close();
    pop.join();
    run.join();
  });
  BOOST_TEST(!result.failure.has_value(), (result.failure ? result.failure->sentence : ""));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
