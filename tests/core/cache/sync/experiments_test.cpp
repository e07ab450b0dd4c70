// The experiments that client-go 0.37.2 was measured by under virtual time, through whole
// informers. E1, E3, E4, E6, E9 to E11, E13, E17 and E18 are named at the tests of their parts.
#include <boost/test/unit_test.hpp>

#include "core/cache/cache.hpp"
#include "core/cache/real_fifo.hpp"
#include "sim/explore/explore.hpp"
#include "tests/core/cache/queues.hpp"
#include "tests/core/cache/shared_informer_stage.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(experiments_test)

namespace {

using features::ReleaseProfile;

/// That machine without streamed lists, which these experiments were made without.
ReleaseProfile lists(std::string_view name) {
  ReleaseProfile machine = *features::find_machine(name);
  machine.streams_lists = false;
  return machine;
}

/// A plain informer on a scripted server, whose handler keeps minutes of its calls, each with what
/// the store holds meanwhile and its revision, and takes its time.
struct Experiment {
  Experiment(runtime::Runtime& runtime_in, ReleaseProfile machine, runtime::Duration takes = {})
      : runtime(runtime_in), server(std::make_shared<ScriptedServer>(runtime)) {
    options.lister_watcher = server;
    options.machine = std::move(machine);
    options.handler = cache::make_handler(
        {.add = [this, takes](const auto& object, bool) { note("add " + text_of(object), takes); },
         .update =
             [this, takes](const auto& before, const auto& after) {
               note("update " + text_of(before) + " " + text_of(after), takes);
             },
         .remove = [this, takes](const auto& item) { note("delete " + text_of(item), takes); }});
  }

  void start() {
    informer = cache::new_informer_with_options(runtime, options);
    running.emplace(runtime, *informer.controller);
  }
  void note(const std::string& what, runtime::Duration takes) {
    minutes += (minutes.empty() ? "" : ", ") + what;
    seen += fmt::format("{}{} rv {}", seen.empty() ? "" : ", ", contents_of(*informer.store),
                        informer.store->last_store_sync_resource_version());
    if (takes > runtime::Duration::zero()) {
      runtime::sleep_for(runtime, takes);
    }
  }

  runtime::Runtime& runtime;
  std::shared_ptr<ScriptedServer> server;
  cache::InformerOptions options;
  cache::Informer informer;
  std::optional<Running> running;
  std::string minutes;
  std::string seen;
};

}  // namespace

// E2, M5: synced for ever with nothing in the store, and no relist; not atomic, one object is lost.
BOOST_AUTO_TEST_CASE(one_object_without_a_key_empties_an_atomic_list_and_no_list_follows) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    for (const auto& [name, contents] : {std::pair{"0.35", "b@2"}, {"0.36", ""}, {"modern", ""}}) {
      Experiment experiment(runtime, lists(name));
      experiment.options.transform = [](const api::ObjectPtr& object) {
        return api::Result<api::ObjectPtr>(object->metadata.name == "a" ? nullptr : object);
      };
      experiment.server->answer_list(listing("10", {object("b", "2"), object("a", "1")}));
      experiment.start();
      runtime::sleep_for(runtime, 10min);
      expect_equal(contents_of(*experiment.informer.store), contents);
      expect_equal(experiment.minutes, *contents == '\0' ? "" : "add b@2");
      expect_equal(experiment.server->story(), "list 0, watch 10");
      expect(experiment.informer.controller->has_synced(), "it has synced all the same");
      experiment.running->end();
    }
  });
}

// E5, M12.
BOOST_AUTO_TEST_CASE(a_key_that_is_listed_twice_is_added_twice_by_an_atomic_informer) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    for (const auto& [name, minutes] : {std::pair{"0.35", "add a@3, update a@3 a@4"},
                                        {"0.36", "add a@3, add a@4"},
                                        {"modern", "add a@3, add a@4"}}) {
      Experiment experiment(runtime, lists(name));
      experiment.server->answer_list(listing("10", {object("a", "3"), object("a", "4")}));
      experiment.start();
      runtime::sleep_for(runtime, 1min);
      expect_equal(experiment.minutes, minutes);
      expect_equal(contents_of(*experiment.informer.store), "a@4");
      experiment.running->end();
    }
  });
}

// E7, M11: each call sees the store as the whole batch leaves it. A deletion of what is not known
// is delivered.
BOOST_AUTO_TEST_CASE(what_is_queued_behind_a_slow_call_is_seen_as_a_whole) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Experiment experiment(runtime, lists("modern"), 10s);
    experiment.server->answer_list(
        listing("5", {object("x", "1"), object("y", "2"), object("z", "3")}));
    experiment.server->stream({});
    experiment.start();
    runtime::sleep_for(runtime, 1min);
    watch::RaceFreeFakeWatcher& stream = experiment.server->latest_stream();
    stream.action(modified("y", "6"));
    runtime::sleep_for(runtime, 1s);
    experiment.minutes.clear();
    experiment.seen.clear();
    stream.action(modified("x", "7"));
    stream.action(deleted("unknown", "8"));
    stream.action(modified("y", "9"));
    stream.action(modified("z", "10"));
    runtime::sleep_for(runtime, 2min);
    expect_equal(experiment.minutes,
                 "update x@1 x@7, delete unknown@8, update y@6 y@9, update z@3 z@10");
    const std::string all = "x@7 y@9 z@10 rv 10";
    expect_equal(experiment.seen, fmt::format("{0}, {0}, {0}, {0}", all));
    experiment.running->end();
  });
}

// E8: what one key has queued comes in batches of one, each with the store of its moment.
BOOST_AUTO_TEST_CASE(each_state_of_a_key_is_delivered_behind_a_slow_call) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    for (const auto& [name, seen] : {std::pair{"0.35", "a@6 rv , a@7 rv , a@8 rv , a@9 rv "},
                                     {"0.36", "a@6 rv 6, a@7 rv 7, a@8 rv 8, a@9 rv 9"},
                                     {"modern", "a@6 rv 6, a@7 rv 7, a@8 rv 8, a@9 rv 9"}}) {
      Experiment experiment(runtime, lists(name), 10s);
      experiment.server->answer_list(listing("5", {object("a", "1")}));
      experiment.server->stream({});
      experiment.start();
      runtime::sleep_for(runtime, 1min);
      experiment.minutes.clear();
      experiment.seen.clear();
      for (const char* version : {"6", "7", "8", "9"}) {
        experiment.server->latest_stream().action(modified("a", version));
      }
      runtime::sleep_for(runtime, 2min);
      expect_equal(experiment.minutes,
                   "update a@1 a@6, update a@6 a@7, update a@7 a@8, update a@8 a@9");
      expect_equal(experiment.seen, seen);
      experiment.running->end();
    }
  });
}

// E12: what a transformer takes from an object the store has no revision of, until a bookmark
// comes.
BOOST_AUTO_TEST_CASE(a_transformer_that_clears_revisions_clears_that_of_the_store) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Experiment experiment(runtime, lists("modern"));
    const auto handler = std::make_shared<MinutesHandler>();
    experiment.options.handler = handler;
    experiment.options.transform = [](const api::ObjectPtr& given) {
      api::Object object = *given;
      object.metadata.resource_version.clear();
      return api::Result<api::ObjectPtr>(std::make_shared<const api::Object>(object));
    };
    experiment.server->answer_list(listing("5", {object("a", "1")}));
    experiment.server->stream({});
    experiment.start();
    const auto revision = [&] {
      runtime::sleep_for(runtime, 1s);
      return experiment.informer.store->last_store_sync_resource_version();
    };
    expect_equal(revision(), "5");
    watch::RaceFreeFakeWatcher* const stream = &experiment.server->latest_stream();
    stream->action(modified("a", "6"));
    expect_equal(revision(), "");
    stream->action(bookmark("9"));
    expect_equal(revision(), "9");
    stream->action(added("b", "10"));
    expect_equal(revision(), "");
    stream->action(deleted("b", "11"));
    expect_equal(revision(), "");
    experiment.server->answer_list(listing("12", {object("a", "12")}));
    experiment.server->stream({});
    stream->action(error_event(api::StatusReason::Expired));
    runtime::sleep_for(runtime, 1min);
    expect_equal(revision(), "12");
    experiment.running->end();
    expect_equal(handler->minutes(),
                 "initial add a@, update a@ a@, add b@, delete b@, update a@ a@");
  });
}

// E14: with 2,000 changes left or more the producer waits; then it gets in while a batch is
// handled.
BOOST_AUTO_TEST_CASE(a_producer_waits_while_two_thousand_changes_are_left) {
  const sim::ExploreResult played =
      sim::explore({.strategy = "fifo"}, [](runtime::Runtime& runtime) {
        cache::RealFIFO queue(runtime, {.atomic_events = true, .unlock_while_processing = true});
        for (int i = 0; i < 4000; ++i) {
          expect(queue.add(object(fmt::format("o{}", i), "1")).ok(), "it is queued");
        }
        int handled = 0;
        std::string got_in;
        const runtime::Task producer = runtime::spawn(runtime, "producer", [&] {
          for (int i = 0; i < 4; ++i) {
            runtime::sleep_for(runtime, 9s);
            (void)queue.has_synced();
            got_in += fmt::format("{}{}", got_in.empty() ? "" : " ", handled);
          }
        });
        for (int i = 0; i < 4; ++i) {
          expect(queue
                     .pop_batch(
                         [&](const cache::Deltas& batch, bool) -> api::Result<void> {
                           runtime::sleep_for(runtime, 10s);
                           handled += static_cast<int>(batch.size());
                           return {};
                         },
                         [](const auto&, bool) { return cache::Processed(); })
                     .ok(),
                 "it is handled");
        }
        producer.join();
        // The first time it waits for two batches, each with 2,000 left or more.
        expect_equal(got_in, "2000 2000 3000 4000");
      });
  BOOST_TEST(!played.failure.has_value(), (played.failure ? played.failure->sentence : ""));
}

// E15: a bookmark on an idle stream moves the store, and a resync repeats every object as it is.
BOOST_AUTO_TEST_CASE(a_bookmark_moves_an_idle_store_and_a_resync_repeats_all_of_it) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    for (const char* name : {"0.36", "modern"}) {
      SharedInformerStage stage(runtime);
      const auto server = std::make_shared<ScriptedServer>(runtime);
      server->answer_list(listing("10", {object("a", "3")}));
      server->stream({bookmark("50")});
      stage.options.lister_watcher = server;
      stage.options.machine = lists(name);
      stage.options.resync_period = 30s;
      const auto handler = stage.join();
      stage.start();
      stage.settle(29s);
      expect_equal(stage.informer().indexer()->last_store_sync_resource_version(), "50");
      expect_equal(handler->minutes(), "initial add a@3");
      stage.settle(2s);
      expect_equal(handler->minutes(), "initial add a@3, update a@3 a@3");
      expect_equal(stage.informer().indexer()->last_store_sync_resource_version(), "50");
      stage.end();
    }
  });
}

// E16: without the gate AtomicFIFO a store of 0.37 keeps its revision to itself.
BOOST_AUTO_TEST_CASE(a_store_without_atomic_events_does_not_give_its_revision) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    for (const bool atomic : {true, false}) {
      features::FeatureGates gates(37);
      expect(gates.set("AtomicFIFO", atomic).ok() && gates.set("WatchListClient", false).ok(),
             "0.37 has both gates");
      Experiment experiment(runtime, *features::profile_of(gates));
      experiment.server->answer_list(listing("10", {object("a", "3")}));
      experiment.start();
      runtime::sleep_for(runtime, 1s);
      expect_equal(experiment.informer.store->last_store_sync_resource_version(),
                   atomic ? "10" : "");
      expect_equal(contents_of(*experiment.informer.store), "a@3");
      experiment.running->end();
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
