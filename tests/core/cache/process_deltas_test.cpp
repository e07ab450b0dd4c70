// What comes out of the queues of 0.35 and later, and what handlers see of it. "E5" and so on are
// the experiments with the original that these results were seen in.
#include <boost/test/unit_test.hpp>

#include "core/cache/cache.hpp"
#include "core/cache/shared_processor.hpp"
#include "tests/core/cache/queues.hpp"
#include "tests/core/cache/shared_informer_stage.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(process_deltas_test)

namespace {

using cache::Delta;
using cache::Deltas;
using cache::DeltaType;
using features::ReleaseProfile;

const ReleaseProfile& machine(std::string_view name) { return *features::find_machine(name); }

Delta delta(DeltaType type, const cache::Item& item) { return {.type = type, .object = item}; }

Delta all_of(std::string version, std::vector<api::ObjectPtr> objects) {
  return {.type = DeltaType::ReplacedAll,
          .object = {},
          .info = std::make_shared<const cache::DeltaInfo>(cache::ReplacedAllInfo{
              .resource_version = std::move(version), .objects = std::move(objects)})};
}

Delta sync_all() {
  return {.type = DeltaType::SyncAll,
          .object = {},
          .info = std::make_shared<const cache::DeltaInfo>(cache::SyncAllInfo{})};
}

/// A handler that also notes what the store holds when it is called, and its revision.
class WatchingHandler final : public MinutesHandler {
 public:
  explicit WatchingHandler(const cache::Store& store) : store_(store) {}
  void on_add(const api::ObjectPtr& object, bool is_in_initial_list) override {
    MinutesHandler::on_add(object, is_in_initial_list);
    look();
  }
  void on_update(const api::ObjectPtr& before, const api::ObjectPtr& after) override {
    MinutesHandler::on_update(before, after);
    look();
  }
  void on_delete(const cache::Item& item) override {
    MinutesHandler::on_delete(item);
    look();
  }
  std::string seen;

 private:
  void look() {
    seen += (seen.empty() ? "" : ", ") + contents_of(store_) + " rv " +
            store_.last_store_sync_resource_version();
  }
  const cache::Store& store_;
};

/// A store that gives its revision, and what a handler sees of it.
struct Consumer {
  explicit Consumer(runtime::Runtime& runtime_in)
      : runtime(runtime_in),
        store(runtime, cache::deletion_handling_meta_namespace_key, {}, {.keeps_version = true}),
        handler(store) {}

  api::Result<void> take(const Deltas& deltas, bool initial = false) {
    return cache::process_deltas({.runtime = runtime, .handler = handler, .store = store}, deltas,
                                 initial);
  }
  api::Result<void> take_batch(const Deltas& deltas, bool initial = false) {
    return cache::process_deltas_in_batch({.runtime = runtime, .handler = handler, .store = store},
                                          deltas, initial);
  }

  runtime::Runtime& runtime;
  cache::Cache store;
  WatchingHandler handler;
};

}  // namespace

// Mirrors TestReplaceEvents: deletions first, then the list in its order; every call sees all of
// it.
BOOST_AUTO_TEST_CASE(a_whole_list_changes_the_store_first_and_is_delivered_then) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Consumer consumer(runtime);
    expect_ok(consumer.take({delta(DeltaType::Added, object("gone", "1")),
                             delta(DeltaType::Added, object("kept", "2")),
                             delta(DeltaType::Added, object("kept", "2"))}));
    expect_equal(consumer.handler.minutes(), "add gone@1, add kept@2, update kept@2 kept@2");
    consumer.handler.clear();
    consumer.handler.seen.clear();
    expect_ok(consumer.take({all_of("9", {object("new", "8"), object("kept", "7")})}, true));
    expect_equal(consumer.handler.minutes(),
                 "delete gone(gone@1), initial add new@8, update kept@2 kept@7");
    const std::string all = "kept@7 new@8 rv 9";
    expect_equal(consumer.handler.seen, all + ", " + all + ", " + all);
  });
}

// E5, M12: live in 0.36 and 0.37.
BOOST_AUTO_TEST_CASE(a_key_that_is_twice_in_a_list_is_added_twice) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Consumer consumer(runtime);
    expect_ok(consumer.take({all_of("5", {object("a", "3"), object("a", "4")})}, true));
    expect_equal(consumer.handler.minutes(), "initial add a@3, initial add a@4");
    expect_equal(contents_of(consumer.store), "a@4");
    Consumer old(runtime);
    expect_ok(old.take({delta(DeltaType::Replaced, object("a", "3"))}, true));
    expect_ok(old.take({delta(DeltaType::Replaced, object("a", "4"))}, true));
    expect_equal(old.handler.minutes(), "initial add a@3, update a@3 a@4");
  });
}

// E2, M5: live in 0.36 and 0.37. Before that only the object without a key was lost.
BOOST_AUTO_TEST_CASE(one_object_without_a_key_spoils_a_whole_list) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto after_one_list = [&](std::string_view name) {
      SharedInformerStage stage(runtime);
      stage.options.machine = machine(name);
      stage.options.machine.streams_lists = false;
      stage.source->put("a");
      stage.source->put("b");
      const auto handler = stage.join();
      expect_ok(stage.informer().set_transform([](const api::ObjectPtr& given) {
        return given->metadata.name == "b" ? api::Result<api::ObjectPtr>(api::ObjectPtr())
                                           : api::Result<api::ObjectPtr>(given);
      }));
      stage.start();
      stage.settle(10min);
      expect(stage.informer().has_synced(), "it claims to have synced");
      expect_equal(stage.source->lists.load(), 1);
      const std::string stored = contents_of(*stage.informer().indexer());
      stage.end();
      return handler->minutes() + "; " + stored;
    };
    expect_equal(after_one_list("modern"), "; ");
    expect_equal(after_one_list("0.36"), "; ");
    expect_equal(after_one_list("0.35"), "initial add a@1; a@1");
  });
}

// E15: a resync repeats what the store has, behind what is queued; a bookmark moves its revision.
BOOST_AUTO_TEST_CASE(a_resync_repeats_the_store_and_a_bookmark_moves_its_revision) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Consumer consumer(runtime);
    expect_ok(consumer.take({all_of("5", {object("a", "3")})}));
    consumer.handler.clear();
    expect_ok(consumer.take({sync_all()}));
    expect_equal(consumer.handler.minutes(), "update a@3 a@3");
    expect_equal(consumer.store.last_store_sync_resource_version(), "5");
    const auto info =
        std::make_shared<const cache::DeltaInfo>(cache::BookmarkInfo{.resource_version = "50"});
    expect_ok(consumer.take({{.type = DeltaType::Bookmark, .object = {}, .info = info}}));
    expect_equal(consumer.store.last_store_sync_resource_version(), "50");
    expect_equal(consumer.handler.minutes(), "update a@3 a@3");
  });
}

// E7, M11, and TestProcessDeltasInBatch.
BOOST_AUTO_TEST_CASE(a_batch_changes_the_store_first_and_is_delivered_in_its_order) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Consumer consumer(runtime);
    expect_ok(consumer.take(
        {delta(DeltaType::Added, object("x", "1")), delta(DeltaType::Added, object("gone", "2"))}));
    consumer.handler.clear();
    consumer.handler.seen.clear();
    expect_ok(consumer.take_batch({delta(DeltaType::Updated, object("x", "7")),
                                   delta(DeltaType::Deleted, object("gone", "8")),
                                   delta(DeltaType::Updated, object("new", "9")),
                                   delta(DeltaType::Deleted, object("unknown", "10"))}));
    expect_equal(consumer.handler.minutes(),
                 "update x@1 x@7, delete gone@8, add new@9, delete unknown@10");
    const std::string all = "new@9 x@7 rv 10";
    expect_equal(consumer.handler.seen, all + ", " + all + ", " + all + ", " + all);
  });
}

BOOST_AUTO_TEST_CASE(what_a_batch_cannot_store_is_not_delivered) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Consumer consumer(runtime);
    const api::Result<void> outcome = consumer.take_batch(
        {delta(DeltaType::Added, object("a", "1")), delta(DeltaType::Added, api::ObjectPtr()),
         delta(DeltaType::Added, object("b", "2"))},
        true);
    expect(outcome.error().message.starts_with("1 of 3 changes failed"), outcome.error().message);
    expect_equal(consumer.handler.minutes(), "initial add a@1, initial add b@2");
    consumer.handler.clear();
    for (const auto& [batch, words, delivered, stored] :
         {std::tuple{Deltas{delta(DeltaType::Added, api::ObjectPtr())}, "1 of 1 changes failed", "",
                     "a@1 b@2"},
          {Deltas{delta(DeltaType::Added, object("c", "3")),
                  delta(DeltaType::Added, api::ObjectPtr())},
           "1 of 2 changes failed", "add c@3", "a@1 b@2 c@3"},
          {Deltas{delta(DeltaType::Deleted, object("c", "4"))}, "", "delete c@4", "a@1 b@2"}}) {
      const api::Result<void> result = consumer.take_batch(batch);
      expect(result.ok() ? *words == 0 : result.error().message.starts_with(words), words);
      expect_equal(consumer.handler.minutes(), delivered);
      expect_equal(contents_of(consumer.store), stored);
      consumer.handler.clear();
    }
    expect(!consumer.take_batch({delta(DeltaType::Updated, object("a", "3")), sync_all()}).ok(),
           "what is about no single object belongs to no batch");
    expect_equal(consumer.handler.minutes(), "");
    expect_equal(contents_of(consumer.store), "a@1 b@2");
  });
}

BOOST_AUTO_TEST_CASE(a_store_without_transactions_takes_a_batch_one_by_one) {
  class Plain final : public cache::Store {
   public:
    explicit Plain(runtime::Runtime& runtime) : inner_(runtime) {}
    api::Result<void> add(const cache::Item& item) override { return inner_.add(item); }
    api::Result<void> update(const cache::Item& item) override { return inner_.update(item); }
    api::Result<void> remove(const cache::Item& item) override { return inner_.remove(item); }
    api::Result<void> replace(std::span<const api::ObjectPtr> items,
                              const std::string& version) override {
      return inner_.replace(items, version);
    }
    api::Result<void> resync() override { return {}; }
    [[nodiscard]] std::vector<api::ObjectPtr> list() const override { return inner_.list(); }
    [[nodiscard]] std::vector<std::string> list_keys() const override { return inner_.list_keys(); }
    [[nodiscard]] api::Result<api::ObjectPtr> get(const cache::Item& item) const override {
      return inner_.get(item);
    }
    [[nodiscard]] api::ObjectPtr get_by_key(const std::string& key) const override {
      return inner_.get_by_key(key);
    }

   private:
    cache::Cache inner_;
  };
  holds_in_every_world([](runtime::Runtime& runtime) {
    Plain store(runtime);
    WatchingHandler handler(store);
    const api::Result<void> outcome = cache::process_deltas_in_batch(
        {.runtime = runtime, .handler = handler, .store = store},
        {delta(DeltaType::Added, object("a", "1")), delta(DeltaType::Added, api::ObjectPtr()),
         delta(DeltaType::Added, object("b", "2"))},
        false);
    expect(!outcome.ok(), "one has failed");
    expect_equal(handler.minutes(), "add a@1, add b@2");
    expect_equal(handler.seen, "a@1 rv , a@1 b@2 rv ");
  });
}

// E8: what one key has queued is never in one batch. E7 through a whole informer.
BOOST_AUTO_TEST_CASE(a_slow_handler_receives_each_state_of_a_key_in_order) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    for (const char* name : {"0.35", "0.36", "modern"}) {
      SharedInformerStage stage(runtime);
      stage.options.machine = machine(name);
      stage.options.machine.streams_lists = false;
      stage.source->put("a");
      const auto handler = stage.join();
      stage.start();
      stage.settle(1s);
      for (int i = 0; i < 3; ++i) {
        stage.source->put("a");
      }
      stage.source->remove("never_seen");
      stage.settle(1s);
      expect_equal(handler->minutes(),
                   "initial add a@1, update a@1 a@2, update a@2 a@3, update a@3 a@4, "
                   "delete never_seen@5");
      stage.end();
    }
  });
}

// E16 and E15 through a whole informer: the store of an atomic machine gives its revision.
BOOST_AUTO_TEST_CASE(an_informer_has_the_revision_of_its_store_where_events_are_atomic) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    for (const auto& [name, received] :
         {std::pair{"classic", ""}, {"0.35", ""}, {"0.36", "50"}, {"modern", "50"}}) {
      const auto server = std::make_shared<ScriptedServer>(runtime);
      server->answer_list(listing("10", {object("a", "3")}));
      server->stream({bookmark("50")});
      const auto handler = std::make_shared<MinutesHandler>();
      ReleaseProfile profile = machine(name);
      profile.streams_lists = false;
      const cache::Informer informer = cache::new_informer_with_options(
          runtime, {.lister_watcher = server, .handler = handler, .machine = profile});
      Running running(runtime, *informer.controller);
      runtime::sleep_for(runtime, 1s);
      expect_equal(informer.store->last_store_sync_resource_version(), received);
      expect_equal(informer.controller->last_sync_resource_version(), "50");
      server->latest_stream().action(modified("a", "60"));
      runtime::sleep_for(runtime, 1s);
      expect_equal(informer.store->last_store_sync_resource_version(), *received == 0 ? "" : "60");
      server->latest_stream().action(deleted("a", "70"));
      runtime::sleep_for(runtime, 1s);
      expect_equal(informer.store->last_store_sync_resource_version(), *received == 0 ? "" : "70");
      running.end();
      expect_equal(handler->minutes(), "initial add a@3, update a@3 a@60, delete a@70");
    }
  });
}

// R7: since 0.34 the process loop leaves at the stop.
BOOST_AUTO_TEST_CASE(what_is_queued_at_the_stop_is_left_by_newer_machines) {
  class Slow final : public MinutesHandler {
   public:
    explicit Slow(runtime::Runtime& runtime) : runtime_(runtime) {}
    void on_update(const api::ObjectPtr& before, const api::ObjectPtr& after) override {
      MinutesHandler::on_update(before, after);
      runtime::sleep_for(runtime_, 10s);
    }

   private:
    runtime::Runtime& runtime_;
  };
  const auto received = [](runtime::Runtime& runtime, std::string_view name) {
    const auto server = std::make_shared<ScriptedServer>(runtime);
    server->answer_list(listing("10", {object("a", "1")}));
    server->stream({modified("a", "11"), modified("a", "12"), modified("a", "13")});
    const auto handler = std::make_shared<Slow>(runtime);
    ReleaseProfile profile = machine(name);
    profile.streams_lists = false;
    const cache::Informer informer = cache::new_informer_with_options(
        runtime, {.lister_watcher = server, .handler = handler, .machine = profile});
    Running running(runtime, *informer.controller);
    runtime::sleep_for(runtime, 1min);
    handler->clear();
    server->latest_stream().action(modified("a", "14"));
    runtime::sleep_for(runtime, 1s);
    server->latest_stream().action(modified("a", "15"));
    runtime::sleep_for(runtime, 1s);
    running.end();
    return handler->minutes();
  };
  holds_in_every_world([&](runtime::Runtime& runtime) {
    expect_equal(received(runtime, "modern"), "update a@13 a@14");
    expect_equal(received(runtime, "0.35"), "update a@13 a@14");
  });
}

// Mirrors TestListenerResyncPeriodsDelayed. M2, first act: a notification that comes before the
// handlers run waits for them without a lock.
BOOST_AUTO_TEST_CASE(a_notification_before_the_start_waits_for_the_handlers) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto processor = std::make_shared<cache::SharedProcessor>(runtime, true);
    std::vector<std::shared_ptr<MinutesHandler>> handlers;
    for (const runtime::Duration period : {0s, 2s, 3s}) {
      handlers.push_back(std::make_shared<MinutesHandler>());
      processor->add_listener(std::make_shared<cache::ProcessorListener>(
          runtime, cache::ProcessorListenerOptions{.handler = handlers.back(),
                                                   .requested_resync_period = period,
                                                   .resync_period = period,
                                                   .upstream_has_synced = [] { return true; }}));
    }
    const auto bring = [&](bool is_sync) {
      for (const api::ObjectPtr& each : {object("a"), object("b")}) {
        cache::Notification what = cache::AddNotification{.object = each};
        if (is_sync) {
          what = cache::UpdateNotification{.old_object = each, .new_object = each};
        }
        processor->distribute(std::make_shared<const cache::Notification>(std::move(what)),
                              is_sync);
      }
    };
    const runtime::Task early = runtime::spawn(runtime, "early", [&] { bring(false); });
    runtime::sleep_for(runtime, 1s);
    expect(!processor->should_resync(), "a writer gets its lock, and nothing is due");
    runtime::StopSource stop(runtime);
    const runtime::Task run = runtime::spawn(runtime, "run", [&] { processor->run(stop.token()); });
    early.join();
    runtime::sleep_for(runtime, 500ms);
    for (const auto& handler : handlers) {
      expect_equal(handler->minutes(), "add a@1, add b@1");
      handler->clear();
    }
    std::string resynced;  // from the second second on, by the period
    for (int second = 2; second <= 6; ++second) {
      runtime::sleep_for(runtime, 500ms);
      if (processor->should_resync()) {
        bring(true);
      }
      runtime::sleep_for(runtime, 500ms);
      for (std::size_t i = 0; i < handlers.size(); ++i) {
        const bool both = handlers[i]->minutes() == "update a@1 a@1, update b@1 b@1";
        resynced += both ? std::string(1, "023"[i]) : "";
        handlers[i]->clear();
      }
      resynced += ";";
    }
    expect_equal(resynced, "2;3;2;;23;");
    stop.stop();
    run.join();
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
