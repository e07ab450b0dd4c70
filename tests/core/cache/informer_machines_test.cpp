// What a handler sees otherwise with the machine of 0.33: the order of all changes, and the rest
// after a panic.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>

#include "core/cache/cache.hpp"
#include "sim/explore/explore.hpp"
#include "tests/core/cache/queues.hpp"
#include "tests/core/cache/shared_informer_stage.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(informer_machines_test)

namespace {

using features::ReleaseProfile;

const ReleaseProfile& machine(std::string_view name) { return *features::find_machine(name); }

/// A handler that keeps minutes, and whose first call takes a second.
class SlowAtFirst : public MinutesHandler {
 public:
  explicit SlowAtFirst(runtime::Runtime& runtime) : runtime_(runtime) {}
  void on_add(const api::ObjectPtr& object, bool is_in_initial_list) override {
    MinutesHandler::on_add(object, is_in_initial_list);
    if (!std::exchange(was_slow_, true)) {
      runtime::sleep_for(runtime_, 1s);
    }
  }

 private:
  runtime::Runtime& runtime_;
  bool was_slow_ = false;
};

/// What a plain informer's handler receives of two objects that change in turn while its first call
/// holds up the queue.
std::string received_of_two(runtime::Runtime& runtime, const ReleaseProfile& machine) {
  const auto source = std::make_shared<FakeSource>(runtime);
  const auto handler = std::make_shared<SlowAtFirst>(runtime);
  const cache::Informer informer = cache::new_informer_with_options(
      runtime, {.lister_watcher = source, .handler = handler, .machine = machine});
  Running running(runtime, *informer.controller);
  runtime::sleep_for(runtime, 1min);
  source->put("a");
  runtime::sleep_for(runtime, 100ms);
  source->put("b");
  source->put("a");
  source->put("b");
  source->remove("a");
  runtime::sleep_for(runtime, 1min);
  running.end();
  return handler->minutes();
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_informer_in_order_is_notified_in_the_order_of_the_watch) {
  const auto received_in_some_schedules = [](std::string_view name) {
    std::set<std::string> received;
    const sim::ExploreResult result =
        sim::explore({.strategy = "random", .schedules_max = 200}, [&](runtime::Runtime& runtime) {
          received.insert(received_of_two(runtime, machine(name)));
        });
    BOOST_TEST(!result.failure.has_value());
    return received;
  };
  const std::set<std::string> in_order{
      "add a@1, add b@2, update a@1 a@3, update b@2 b@4, delete a@5"};
  BOOST_TEST(received_in_some_schedules("0.33") == in_order, boost::test_tools::per_element());
  // What is queued of one object is handed out together: it overtakes what came before it.
  BOOST_TEST(received_in_some_schedules("classic").size() > 1);
}

BOOST_AUTO_TEST_CASE(a_list_first_deletes_what_is_missing_and_then_brings_the_rest) {
  const auto received = [](runtime::Runtime& runtime, std::string_view name) {
    SharedInformerStage stage(runtime);
    stage.options.machine = listing_machine(name);
    stage.source->put("gone");
    stage.source->put("kept");
    const auto handler = stage.join();
    stage.start();
    stage.settle();
    stage.source->remove_unseen("gone");
    stage.source->put_unseen("kept");
    stage.source->put_unseen("new");
    expect_equal(handler->minutes(), "initial add gone@1, initial add kept@2");
    handler->clear();
    stage.source->reset_watches();
    stage.settle();
    expect_equal(contents_of(*stage.informer().indexer()), stage.source->contents());
    stage.end();
    return handler->minutes();
  };
  holds_in_every_world([&](runtime::Runtime& runtime) {
    expect_equal(received(runtime, "classic"),
                 "update kept@2 kept@4, add new@5, delete gone(gone@1)");
    for (const char* name : {"0.33", "0.35", "0.36", "modern"}) {
      expect_equal(received(runtime, name), "delete gone(gone@1), update kept@2 kept@4, add new@5");
    }
  });
}

namespace {

/// A plain informer whose handler notes each call and what the store has of its object then.
struct Looking {
  Looking(runtime::Runtime& runtime_in, const char* name)
      : runtime(runtime_in), source(std::make_shared<FakeSource>(runtime)) {
    const auto handler = cache::make_handler(
        {.add =
             [this](const api::ObjectPtr& object, bool is_initial) {
               note((is_initial ? "initial add " : "add ") + text_of(object), object);
             },
         .update =
             [this](const api::ObjectPtr& before, const api::ObjectPtr& after) {
               note("update " + text_of(before) + " " + text_of(after), after);
             },
         .remove =
             [this](const cache::Item& item) {
               note("delete " + text_of(item), cache::object_of(item));
             }});
    informer = cache::new_informer_with_options(
        runtime, {.lister_watcher = source, .handler = handler, .machine = listing_machine(name)});
  }
  void note(const std::string& call, const api::ObjectPtr& object) {
    const api::ObjectPtr stored = informer.store->get_by_key(api::key_of(object->metadata));
    calls.push_back(call + ": " + text_of(stored));
  }
  /// Lets the source be listed, and gives what was called meanwhile.
  std::vector<std::string> listed() {
    calls.clear();
    source->reset_watches();
    runtime::sleep_for(runtime, 2min);
    expect_equal(contents_of(*informer.store), source->contents());
    return calls;
  }

  runtime::Runtime& runtime;
  std::shared_ptr<FakeSource> source;
  cache::Informer informer;
  std::vector<std::string> calls;
};

}  // namespace

// Mirrors TestReplaceEvents and TestResetWatch. What a list says of an object is what the store has
// when the handler is called. Deletions of one list come in no order.
BOOST_AUTO_TEST_CASE(a_list_is_delivered_alike_as_one_delta_and_as_many) {
  for (const char* name : {"0.33", "0.35", "0.36", "modern"}) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      Looking stage(runtime, name);
      Running running(runtime, *stage.informer.controller);
      runtime::sleep_for(runtime, 2min);
      stage.source->put_unseen("a");
      expect_equal(joined(stage.listed()), "add a@1: a@1");
      stage.source->put("c");
      runtime::sleep_for(runtime, 2min);
      expect_equal(joined(stage.calls), "add a@1: a@1 | add c@3: c@3");
      stage.source->remove_unseen("a");
      stage.source->remove_unseen("c");
      std::vector<std::string> deletions = stage.listed();
      std::ranges::sort(deletions);
      expect_equal(joined(deletions), "delete gone(a@1): null | delete gone(c@3): null");
      for (const char* key : {"a", "b", "c"}) {
        stage.source->put(key);
      }
      runtime::sleep_for(runtime, 2min);
      stage.source->put_unseen("a");
      stage.source->put_unseen("b");
      stage.source->remove_unseen("c");
      stage.source->put_unseen("d");
      expect_equal(joined(stage.listed()),
                   "delete gone(c@9): null | update a@7 a@10: a@10 | update b@8 b@11: b@11 | "
                   "add d@13: d@13");
      running.end();
    });
  }
}

// A DeltaFIFO drops what neither it nor the store knows.
BOOST_AUTO_TEST_CASE(the_deletion_of_what_was_never_seen_is_delivered_in_order_only) {
  const auto received = [](runtime::Runtime& runtime, std::string_view name) {
    SharedInformerStage stage(runtime);
    stage.options.machine = machine(name);
    const auto handler = stage.join();
    stage.start();
    stage.settle();
    stage.source->put_unseen("ghost");
    stage.source->remove("ghost");
    stage.settle();
    stage.end();
    return handler->minutes();
  };
  holds_in_every_world([&](runtime::Runtime& runtime) {
    expect_equal(received(runtime, "classic"), "");
    expect_equal(received(runtime, "0.33"), "delete ghost@2");
  });
}

BOOST_AUTO_TEST_CASE(an_informer_in_order_syncs_resyncs_and_joins_late_as_the_classic_one) {
  holds_in_every_world([&](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    stage.options.machine = machine("0.33");
    stage.options.resync_period = 10s;
    stage.source->put("a");
    const auto early = stage.join();
    expect(!stage.informer().has_synced(), "not before it runs");
    stage.start();
    stage.settle(15s);
    expect(stage.informer().has_synced(), "the first list is processed");
    expect(stage.last_registration->has_synced(), "and handled");
    const auto late = stage.join();
    stage.settle(1s);
    stage.source->put("a");
    stage.settle(1s);
    stage.end();
    expect_equal(early->minutes(), "initial add a@1, update a@1 a@1, update a@1 a@2");
    expect_equal(late->minutes(), "initial add a@1, update a@1 a@2");
  });
}

// E18. Mirrors TestEventPanics (client-go 0.33): a panic at 10 s, the next event at 70 s.
BOOST_AUTO_TEST_CASE(the_rest_after_a_panic_comes_before_the_next_notification) {
  class Fragile final : public MinutesHandler {
   public:
    explicit Fragile(runtime::Runtime& runtime) : runtime_(runtime), start_(runtime.now()) {}
    void on_add(const api::ObjectPtr& object, bool) override {
      if (object->metadata.name == "a") {
        throw runtime::Panic("fragile");
      }
      const auto since = std::chrono::duration_cast<std::chrono::seconds>(runtime_.now() - start_);
      seconds += std::to_string(since.count()) + " ";
    }
    std::string seconds;

   private:
    runtime::Runtime& runtime_;
    runtime::TimePoint start_;
  };
  const auto called_at = [](runtime::Runtime& runtime, std::string_view name) {
    SharedInformerStage stage(runtime);
    stage.options.machine = machine(name);
    stage.options.crash_on_panic = false;
    const auto handler = std::make_shared<Fragile>(runtime);
    stage.join(handler);
    stage.start();
    stage.settle(10s);
    stage.source->put("a");
    stage.settle(60s);
    stage.source->put("b");
    stage.source->put("c");
    stage.settle(10s);
    stage.end();
    return handler->seconds;
  };
  holds_in_every_world([&](runtime::Runtime& runtime) {
    expect_equal(called_at(runtime, "classic"), "70 70 ");
    expect_equal(called_at(runtime, "0.33"), "71 71 ");
  });
}

// RetryOnError is gone since 0.33: its queue takes nothing back.
BOOST_AUTO_TEST_CASE(a_failed_item_is_lost_in_order_whatever_was_asked_for) {
  const auto processed = [](runtime::Runtime& runtime, std::string_view name) {
    const auto source = std::make_shared<FakeSource>(runtime);
    source->put("a");
    const auto store = std::make_shared<cache::Cache>(runtime);
    int tries = 0;
    cache::Controller controller(
        runtime,
        {.queue = cache::make_informer_queue(runtime, {.store = store, .machine = machine(name)}),
         .lister_watcher = source,
         .process = [&](const cache::PopItem&, bool) -> cache::Processed {
           ++tries;
           return tries < 3 ? cache::Processed(api::Error{.message = "no luck"})
                            : cache::Processed();
         },
         .retry_on_error = true});
    Running running(runtime, controller);
    runtime::sleep_for(runtime, 1min);
    running.end();
    return tries;
  };
  holds_in_every_world([&](runtime::Runtime& runtime) {
    expect_equal(processed(runtime, "classic"), 3);
    expect_equal(processed(runtime, "0.33"), 1);
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
