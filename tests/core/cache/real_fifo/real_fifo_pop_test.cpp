// How a RealFIFO hands out what it holds: one by one or in batches, locked or not.
#include <boost/test/unit_test.hpp>
#include <chrono>

#include "core/cache/real_fifo.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/kernel/world.hpp"
#include "tests/core/cache/queues.hpp"
#include "tests/core/cache/real_fifo/real_fifos.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(real_fifo_pop_test)

using cache::RealFIFO;
using cache::RealFIFOOptions;

namespace {

/// The log lines of an default run of the body.
std::string logged_by(const Body& body) {
  sim::World world({.record = true});
  sim::FifoStrategy strategy;
  const sim::RunResult result = world.run(strategy, body);
  BOOST_TEST(!result.failure.has_value());
  std::vector<std::string> lines;
  for (const sim::NoteRecord& note : result.notes) {
    if (note.kind == "log") {
      lines.push_back(note.text);
    }
  }
  return joined(lines);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_error_of_a_process_function_comes_back_and_its_items_are_gone) {
  for_each_machine([](runtime::Runtime&, RealFIFO& queue) {
    add_all(queue, "abcd");
    const cache::Popped popped = queue.pop([](const cache::PopItem&, bool) -> cache::Processed {
      return cache::ErrRequeue{api::Error{.message = "no luck"}};
    });
    expect_equal(popped.outcome.error().message, "no luck");
    expect_equal(text_of(popped.item), "Added a@1");
    const api::Result<void> batch = queue.pop_batch(
        [](const cache::Deltas&, bool) -> api::Result<void> {
          return api::Error{.message = "no luck with a batch"};
        },
        ignore);
    expect_equal(batch.error().message, "no luck with a batch");
    expect_equal(joined(drain_closed(queue)), "");
  });
}

BOOST_AUTO_TEST_CASE(a_process_that_panics_leaves_the_queue_usable_and_its_item_counted) {
  for_each_machine([](runtime::Runtime&, RealFIFO& queue) {
    expect_ok(replace(queue, {object("a")}));
    expect_ok(queue.add(object("b")));
    expect_panic(
        [&] {
          (void)queue.pop([](const cache::PopItem&, bool) -> cache::Processed {
            throw runtime::Panic("handler broke");
          });
        },
        "handler broke");
    expect(queue.has_synced(), "the first list is popped");
    expect_equal(joined(drain_closed(queue)), "Added b@1");
  });
}

// Mirrors TestRealFIFO_PopShouldUnblockWhenClosed.
BOOST_AUTO_TEST_CASE(closing_wakes_every_waiter_for_an_item) {
  for (const bool in_batches : {false, true}) {
    holds_everywhere([in_batches](runtime::Runtime& runtime) {
      const FixedObjects known({object("foo", "5")});
      RealFIFO queue(runtime, {.known_objects = &known});
      runtime::Channel<std::string> said(runtime, 3);
      for (int i = 0; i < 3; ++i) {
        runtime::spawn(runtime, "popper", [&queue, said, in_batches]() mutable {
          said.send(in_batches ? pop_batch_text(queue) : pop_text(queue));
        });
      }
      runtime.yield(runtime::Location::current());
      queue.close();
      for (int i = 0; i < 3; ++i) {
        expect_equal(said.receive().value(), "error: the queue is closed");
      }
    });
  }
}

BOOST_AUTO_TEST_CASE(a_closed_queue_still_takes_and_gives) {
  for_each_machine([](runtime::Runtime&, RealFIFO& queue) {
    expect_ok(queue.add(object("a")));
    queue.close();
    queue.close();
    expect_ok(queue.add(object("b")));
    expect_equal(joined(drain_closed(queue)), "Added a@1 | Added b@1");
  });
}

// E14. Research calls this back-pressure: a long queue keeps its producers out although it unlocks.
BOOST_AUTO_TEST_CASE(the_lock_is_free_meanwhile_unless_two_batches_or_more_are_left) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    RealFIFO queue(runtime,
                   {.atomic_events = true, .unlock_while_processing = true, .batch_size = 2});
    add_all(queue, "abcdefg");
    std::string got_in;
    for (int i = 0; i < 7; ++i) {
      bool is_done = false;
      const runtime::Task producer = runtime::spawn(runtime, "producer", [&] {
        runtime::sleep_for(runtime, std::chrono::milliseconds(1));
        (void)queue.has_synced();
        got_in += is_done ? "-" : "+";
      });
      (void)queue.pop([&](const cache::PopItem&, bool) -> cache::Processed {
        runtime::sleep_for(runtime, std::chrono::milliseconds(5));
        is_done = true;
        return {};
      });
      producer.join();
    }
    expect_equal(got_in, "---++++");  // with 6, 5, 4 left it is locked; with 3 it is not
  });
}

BOOST_AUTO_TEST_CASE(without_unlocking_a_slow_process_keeps_the_producer_out) {
  holds_everywhere([](runtime::Runtime& runtime) {
    RealFIFO queue(runtime, {.atomic_events = true});
    expect_pop_keeps_the_producer_out(runtime, queue);
    expect_equal(joined(drain_closed(queue)), "Added a@2");
  });
}

// With the lock free a process function may use the queue itself.
BOOST_AUTO_TEST_CASE(an_unlocked_process_may_call_every_function_of_the_queue) {
  holds_everywhere([](runtime::Runtime& runtime) {
    RealFIFO queue(
        runtime,
        {.atomic_events = true, .unlock_while_processing = true, .emit_delta_type_bookmark = true});
    expect_ok(queue.add(object("a")));
    (void)queue.pop([&](const cache::PopItem&, bool) -> cache::Processed {
      expect_ok(queue.add(object("b")));
      expect_ok(queue.update(object("c")));
      expect_ok(queue.remove(object("d")));
      expect_ok(replace(queue, {object("e")}));
      expect_ok(queue.resync());
      expect_ok(queue.bookmark("5"));
      expect(queue.has_synced(), "an addition came first");
      queue.close();
      return {};
    });
    expect_equal(joined(drain_closed(queue)),
                 "Added b@1 | Updated c@1 | Deleted d@1 | ReplacedAll 0[e@1] | SyncAll | "
                 "Bookmark 5");
  });
}

// A batch is one observation; what ends by a panic is none.
BOOST_AUTO_TEST_CASE(how_long_what_was_popped_took_is_reported) {
  struct Latencies final : cache::QueueDepthMetrics {
    void processed(runtime::Duration took) override {
      text += std::to_string(std::chrono::duration_cast<std::chrono::seconds>(took).count()) + " ";
    }
    std::string text;
  };
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects nothing({});
    const auto latencies = std::make_shared<Latencies>();
    RealFIFO queue(runtime, {.known_objects = &nothing, .metrics = latencies});
    add_all(queue, "abcde");
    const auto takes = [&](int seconds) {
      return [&runtime, seconds](const cache::PopItem&, bool) -> cache::Processed {
        runtime::sleep_for(runtime, std::chrono::seconds(seconds));
        return {};
      };
    };
    (void)queue.pop(takes(2));
    expect_panic(
        [&] {
          (void)queue.pop(
              [](const cache::PopItem&, bool) -> cache::Processed { throw runtime::Panic("no"); });
        },
        "no");
    (void)queue.pop_batch(
        [&](const cache::Deltas&, bool) -> api::Result<void> {
          runtime::sleep_for(runtime, std::chrono::seconds(7));
          return {};
        },
        takes(1));
    expect_equal(latencies->text, "2 7 ");
  });
}

// Ten or fewer left are no long queue, and 100 ms are no long time.
BOOST_AUTO_TEST_CASE(a_slow_process_before_a_long_queue_is_logged) {
  const auto logged = [](std::size_t queued, std::size_t batch, std::chrono::milliseconds takes) {
    return [=](runtime::Runtime& runtime) {
      const FixedObjects nothing({});
      RealFIFO queue(runtime, {.known_objects = &nothing, .batch_size = batch, .name = "long"});
      for (std::size_t i = 0; i < queued; ++i) {
        expect_ok(queue.add(object("o" + std::to_string(i))));
      }
      const auto sleep = [&] { runtime::sleep_for(runtime, takes); };
      (void)queue.pop_batch(
          [&](const cache::Deltas&, bool) -> api::Result<void> {
            sleep();
            return {};
          },
          [&](const cache::PopItem&, bool) -> cache::Processed {
            sleep();
            return {};
          });
    };
  };
  using std::chrono::milliseconds;
  const std::string slow = "long: o0 took 101 ms to process, with 11 more in the queue";
  BOOST_TEST(logged_by(logged(12, 1, milliseconds(101))) == slow);
  BOOST_TEST(logged_by(logged(11, 1, milliseconds(101))) == "");
  BOOST_TEST(logged_by(logged(12, 1, milliseconds(100))) == "");
  BOOST_TEST(logged_by(logged(14, 2, milliseconds(150))) == "");
  BOOST_TEST(logged_by(logged(14, 2, milliseconds(201))) ==
             "long: o0 took 201 ms to process, with 12 more in the queue");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
