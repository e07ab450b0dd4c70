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

/// Pops one batch and says what it was: "batch: …" or "single: …", with "initial" for the first
/// list.
std::string pop_batch_text(RealFIFO& queue) {
  std::string text;
  const auto write = [&](std::string_view how, const cache::Deltas& deltas, bool is_initial) {
    text = std::string(how) + (is_initial ? " initial: " : ": ") + text_of(deltas);
    return api::Result<void>();
  };
  const api::Result<void> popped =
      queue.pop_batch([&](const cache::Deltas& batch,
                          bool is_initial) { return write("batch", batch, is_initial); },
                      [&](const cache::PopItem& item, bool is_initial) -> cache::Processed {
                        return write("single", std::get<cache::Deltas>(item), is_initial);
                      });
  return popped ? text : "error: " + popped.error().message;
}

std::string all_batches(RealFIFO& queue) {
  queue.close();
  std::vector<std::string> texts;
  for (std::string text = pop_batch_text(queue); !text.starts_with("error");
       text = pop_batch_text(queue)) {
    texts.push_back(std::move(text));
  }
  return joined(texts);
}

/// The log lines of an undisturbed run of the body.
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

/// Queues, as additions, the objects of these names in this order, revisions 1 and so on.
void add_all(RealFIFO& queue, std::string_view names) {
  int revision = 0;
  for (const char name : names) {
    expect_ok(queue.add(object(std::string(1, name), std::to_string(++revision))));
  }
}

struct BatchRow {
  std::string_view names;
  std::size_t batch_size;
  std::string_view batches;
};

}  // namespace

// Mirrors TestRealFIFO_PopMultipleDeltaInBatch.
BOOST_AUTO_TEST_CASE(a_batch_ends_before_a_key_that_it_has_and_at_its_size) {
  const std::vector<BatchRow> rows{
      {"abc", 1000, "batch: Added a@1, Added b@2, Added c@3"},
      {"a", 1000, "single: Added a@1"},
      {"aab", 1000, "single: Added a@1 | batch: Added a@2, Added b@3"},
      {"aba", 1000, "batch: Added a@1, Added b@2 | single: Added a@3"},
      {"abb", 1000, "batch: Added a@1, Added b@2 | single: Added b@3"},
      {"aaa", 1000, "single: Added a@1 | single: Added a@2 | single: Added a@3"},
      {"abc", 1, "single: Added a@1 | single: Added b@2 | single: Added c@3"},
      {"abc", 2, "batch: Added a@1, Added b@2 | single: Added c@3"},
      {"abc", 3, "batch: Added a@1, Added b@2, Added c@3"},
  };
  for (const Machine machine : kMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      for (const BatchRow& row : rows) {
        const FixedObjects nothing({});
        RealFIFOOptions options = options_of(machine, nothing);
        options.batch_size = row.batch_size;
        RealFIFO queue(runtime, options);
        add_all(queue, row.names);
        expect_equal(all_batches(queue), row.batches);
      }
    });
  }
}

// Mirrors TestRealFIFO_PopMultipleDeltaInBatch, its row about the first list.
BOOST_AUTO_TEST_CASE(no_batch_holds_items_of_the_first_list_and_later_ones) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("z", "1")});
    RealFIFO queue(runtime, {.known_objects = &known});
    expect_ok(replace(queue, {object("a"), object("b")}));
    expect_ok(queue.add(object("c")));
    expect_ok(queue.add(object("d")));
    expect_equal(all_batches(queue),
                 "batch initial: Deleted gone(z@1), Replaced a@1, Replaced b@1 | "
                 "batch: Added c@1, Added d@1");
    expect(queue.has_synced(), "the first batch was all of the first list");
  });
}

BOOST_AUTO_TEST_CASE(a_batch_counts_all_its_items_of_the_first_list) {
  for (const bool before : {false, true}) {
    holds_in_every_world([before](runtime::Runtime& runtime) {
      const FixedObjects nothing({});
      RealFIFO queue(
          runtime, {.known_objects = &nothing, .count_before_processing = before, .batch_size = 2});
      expect_ok(replace(queue, {object("a"), object("b"), object("c")}));
      expect_equal(pop_batch_text(queue), "batch initial: Replaced a@1, Replaced b@1");
      expect(!queue.has_synced(), "one of the list is left");
      expect_equal(pop_batch_text(queue), "single initial: Replaced c@1");
      expect(queue.has_synced(), "none is");
    });
  }
}

BOOST_AUTO_TEST_CASE(what_is_about_no_single_object_comes_alone) {
  for_each_atomic_machine([](runtime::Runtime&, RealFIFO& queue) {
    expect_ok(queue.replace(std::vector{object("a")}, "1"));
    expect_ok(queue.bookmark("2"));
    add_all(queue, "bc");
    expect_ok(queue.resync());
    expect_ok(queue.bookmark("3"));
    add_all(queue, "d");
    expect_equal(all_batches(queue),
                 "single initial: ReplacedAll 1[a@1] | single: Bookmark 2 | "
                 "batch: Added b@1, Added c@2 | single: SyncAll | single: Bookmark 3 | "
                 "single: Added d@1");
  });
}

// Mirrors TestRealFIFO_PopBrokenItemsInBatch: the transform takes the name, so the key, away.
BOOST_AUTO_TEST_CASE(an_item_without_a_key_ends_its_batch) {
  const auto unname_capitals = [](const api::ObjectPtr& given) -> api::Result<api::ObjectPtr> {
    const bool is_capital = given->metadata.name < "a";
    return is_capital ? object("", given->metadata.resource_version) : given;
  };
  const auto key = [](const cache::Item& item) -> api::Result<std::string> {
    if (cache::object_of(item)->metadata.name.empty()) {
      return api::Error{.message = "no name"};
    }
    return cache::meta_namespace_key(item);
  };
  const std::vector<BatchRow> rows{
      {"A", 1000, "single: Added @1"},
      {"Aab", 1000, "single: Added @1 | batch: Added a@2, Added b@3"},
      {"AaB", 1000, "single: Added @1 | batch: Added a@2, Added @3"},
      {"abA", 1000, "batch: Added a@1, Added b@2, Added @3"},
      {"abAB", 1000, "batch: Added a@1, Added b@2, Added @3 | single: Added @4"},
      {"aAb", 1000, "batch: Added a@1, Added @2 | single: Added b@3"},
      {"AAb", 1000, "single: Added @1 | single: Added @2 | single: Added b@3"},
      {"aAbBc", 1000,
       "batch: Added a@1, Added @2 | batch: Added b@3, Added @4 | single: Added c@5"},
  };
  for (const Machine machine : kMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      for (const BatchRow& row : rows) {
        const FixedObjects nothing({});
        RealFIFOOptions options = options_of(machine, nothing);
        options.transformer = unname_capitals;
        options.key_function = key;
        RealFIFO queue(runtime, options);
        add_all(queue, row.names);
        expect_equal(all_batches(queue), row.batches);
      }
    });
  }
}

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
      const FixedObjects nothing({});
      RealFIFO queue(runtime, {.known_objects = &nothing});
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
    expect_ok(queue.add(object("a", "1")));
    runtime::Channel<runtime::Unit> started(runtime, 1);
    bool done = false;
    const runtime::Task producer = runtime::spawn(runtime, "producer", [&] {
      started.receive();
      expect_ok(queue.add(object("a", "2")));
      expect(done, "an add gets in only when the process function is back");
    });
    (void)queue.pop([&](const cache::PopItem&, bool) -> cache::Processed {
      started.send({});
      runtime.yield(runtime::Location::current());
      done = true;
      return {};
    });
    producer.join();
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
