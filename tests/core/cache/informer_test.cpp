#include "core/cache/informer.hpp"

#include <fmt/ranges.h>

#include <boost/test/unit_test.hpp>
#include <set>
#include <utility>

#include "core/cache/cache.hpp"
#include "tests/core/cache/informer_stage.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(informer_test)

namespace {

api::Result<api::ObjectPtr> stamp(const api::ObjectPtr& object) {
  api::Object stamped = *object;
  stamped.metadata.labels["stamped"] = "yes";
  return std::make_shared<const api::Object>(std::move(stamped));
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_there_comes_as_adds_of_the_initial_list) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    InformerStage stage(runtime);
    stage.source->put("a");
    stage.source->put("b");
    stage.start();
    stage.settle();
    expect_equal(stage.handler->minutes(), "initial add a@1, initial add b@2");
    stage.running->end();
  });
}

// Mirrors ExampleNewInformer.
BOOST_AUTO_TEST_CASE(changes_come_one_by_one_and_the_store_follows) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    InformerStage stage(runtime);
    stage.start();
    stage.settle();
    stage.source->put("a");
    stage.source->put("a");
    stage.source->put("b");
    stage.source->remove("a");
    stage.settle();
    const std::string minutes = stage.handler->minutes();
    expect(minutes == "add a@1, update a@1 a@2, add b@3, delete a@4" ||
               minutes == "add a@1, update a@1 a@2, delete a@4, add b@3",
           minutes);
    expect_equal(contents_of(*stage.informer.store), "b@3");
    stage.running->end();
  });
}

BOOST_AUTO_TEST_CASE(a_missed_delete_comes_as_a_tombstone_with_the_last_known_state) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    InformerStage stage(runtime);
    stage.source->put("a");
    stage.start();
    stage.settle();
    stage.source->remove_unseen("a");
    stage.source->reset_watches();
    stage.settle();
    expect_equal(stage.handler->minutes(), "initial add a@1, delete gone(a@1)");
    stage.running->end();
  });
}

BOOST_AUTO_TEST_CASE(recreated_between_two_lists_comes_as_one_update) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    InformerStage stage(runtime);
    stage.source->put("a");
    stage.start();
    stage.settle();
    stage.source->remove_unseen("a");
    stage.source->put_unseen("a");
    stage.source->reset_watches();
    stage.settle();
    expect_equal(stage.handler->minutes(), "initial add a@1, update a@1 a@3");
    stage.running->end();
  });
}

// A list in the middle does not lose or double a transition.
BOOST_AUTO_TEST_CASE(closed_watches_lose_and_double_nothing) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    InformerStage stage(runtime);
    stage.start();
    stage.source->put("a");
    const auto closer = runtime::spawn(runtime, "closer", [&] { stage.source->close_watches(); });
    stage.source->put("a");
    stage.source->remove("a");
    closer.join();
    stage.settle();
    const std::string minutes = stage.handler->minutes();
    const std::string news = minutes.substr(std::min(minutes.size(), minutes.find("add")));
    expect(minutes.empty() || news == "add a@1, update a@1 a@2, delete a@3" ||
               news == "add a@2, delete a@3" || news == "add a@1, delete gone(a@1)" ||
               news == "add a@1, update a@1 a@2, delete gone(a@2)" ||
               news == "add a@2, delete gone(a@2)",
           minutes);
    expect_equal(contents_of(*stage.informer.store), "");
    stage.running->end();
  });
}

// Mirrors TestResetWatch.
BOOST_AUTO_TEST_CASE(after_a_reset_of_the_source_the_store_agrees_with_it_again) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    InformerStage stage(runtime);
    stage.source->put("a");
    stage.source->put("b");
    stage.start();
    const auto resetter =
        runtime::spawn(runtime, "resetter", [&] { stage.source->reset_watches(); });
    stage.source->put("c");
    stage.source->remove("a");
    resetter.join();
    stage.settle();
    expect_equal(contents_of(*stage.informer.store), stage.source->contents());
    stage.running->end();
  });
}

// Mirrors TestHammerController.
BOOST_AUTO_TEST_CASE(under_many_writers_each_key_is_added_before_it_changes_and_goes) {
  for (const char* name : kThreeMachines) {
    holds_everywhere([&](runtime::Runtime& runtime) {
      InformerStage stage(runtime);
      stage.options.machine = listing_machine(name);
      stage.options.reflector.resync_period = 1ms;
      stage.options.handler = std::make_shared<OrderHandler>();
      stage.informer = cache::new_informer_with_options(runtime, stage.options);
      expect(!stage.informer.controller->has_synced(), "nothing has synced before the start");
      stage.running.emplace(runtime, *stage.informer.controller);
      while (!stage.informer.controller->has_synced()) {
        runtime::sleep_for(runtime, 1ms);
      }
      std::vector<runtime::Task> writers;
      for (int i = 0; i < 3; ++i) {
        writers.push_back(runtime::spawn(runtime, "writer", [&stage, i] {
          const std::string own = "own-" + std::to_string(i);
          for (int round = 0; round < 4; ++round) {
            stage.source->put(own);
            stage.source->put("shared");
            stage.source->remove(own);
            runtime::sleep_for(stage.runtime, 1ms);  // for a resync amid the changes
          }
        }));
      }
      for (const runtime::Task& writer : writers) {
        writer.join();
      }
      stage.source->put("last");
      while (stage.informer.store->get_by_key("last") == nullptr) {
        runtime::sleep_for(runtime, 10ms);
      }
      expect_equal(contents_of(*stage.informer.store), stage.source->contents());
      stage.running->end();
    });
  }
}

// Mirrors TestTransformingInformer.
BOOST_AUTO_TEST_CASE(handlers_and_store_see_transformed_objects_only) {
  for (const char* name : kThreeMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      InformerStage stage(runtime);
      stage.options.machine = listing_machine(name);
      stage.options.transform = stamp;
      std::string delivered;
      // An object as "a@1+" when it is transformed, and as the server has it but for that.
      const auto text = [&](const api::ObjectPtr& object) {
        const api::Object as_served =
            *tests::object(api::key_of(object->metadata), object->metadata.resource_version);
        api::Object stamped = as_served;
        stamped.metadata.labels["stamped"] = "yes";
        return text_of(object) + (*object == stamped ? "+" : "-");
      };
      stage.options.handler = cache::make_handler(
          {.add = [&](const auto& object, bool) { delivered += "add " + text(object) + ", "; },
           .update =
               [&](const auto& before, const auto& after) {
                 delivered += "update " + text(before) + " " + text(after) + ", ";
               },
           .remove =
               [&](const cache::Item& item) {
                 delivered += "delete " + text(cache::object_of(item)) + ", ";
               }});
      const auto expect_state = [&](std::string_view news, std::string_view contents) {
        stage.settle();
        expect_equal(std::exchange(delivered, ""), news);
        std::set<std::string> stored;
        for (const api::ObjectPtr& each : stage.informer.store->list()) {
          stored.insert(text(each));
        }
        expect_equal(fmt::format("{}", fmt::join(stored, " ")), contents);
      };
      stage.source->put("a");
      stage.source->put("a");
      stage.start();
      expect_state("add a@2+, ", "a@2+");
      stage.source->put("b");
      expect_state("add b@3+, ", "a@2+ b@3+");
      stage.source->put("c");
      expect_state("add c@4+, ", "a@2+ b@3+ c@4+");
      stage.source->put("b");
      expect_state("update b@3+ b@5+, ", "a@2+ b@5+ c@4+");
      stage.source->remove("a");
      expect_state("delete a@6+, ", "b@5+ c@4+");
      stage.running->end();
    });
  }
}

// Mirrors TestTransformingInformerRace.
BOOST_AUTO_TEST_CASE(neither_a_resync_nor_a_tombstone_is_transformed_again) {
  for (const char* name : kThreeMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      InformerStage stage(runtime);
      stage.options.machine = listing_machine(name);
      int transformed = 0;
      stage.options.reflector.resync_period = 1s;
      stage.options.transform = [&](const api::ObjectPtr& object) {
        ++transformed;
        expect(!object->metadata.labels.contains("stamped"), "no result is transformed");
        return stamp(object);
      };
      stage.source->put("a");
      stage.source->put("b");
      stage.start();
      stage.settle();
      const std::string minutes = stage.handler->minutes();
      expect(minutes.starts_with("initial add a@1, initial add b@2, update "), minutes);
      stage.source->put("a");
      stage.settle();
      expect_equal(transformed, 3);
      stage.source->remove_unseen("b");
      stage.source->reset_watches();
      stage.settle();
      expect_equal(transformed, 4);
      expect_equal(contents_of(*stage.informer.store), "a@3");
      stage.running->end();
    });
  }
}

BOOST_AUTO_TEST_CASE(a_resync_delivers_again_what_the_store_has_and_asks_the_server_nothing) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    InformerStage stage(runtime);
    stage.options.reflector.resync_period = 1min;
    stage.source->put("a");
    stage.start();
    runtime::sleep_for(runtime, 130s);
    expect_equal(stage.handler->minutes(), "initial add a@1, update a@1 a@1, update a@1 a@1");
    expect_equal(stage.source->lists, 1);
    stage.running->end();
  });
}

BOOST_AUTO_TEST_CASE(the_queue_distinguishes_a_list_from_a_resync) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto store = std::make_shared<cache::Cache>(runtime);
    const auto queue = cache::make_informer_queue(runtime, {.store = store});
    const std::vector<api::ObjectPtr> items{object("a")};
    expect(queue->replace(items, "1").ok() && store->replace(items, "1").ok(), "both are filled");
    const auto next_types = [&] {
      const cache::Popped popped = queue->pop([](const auto&, bool) { return cache::Processed(); });
      return cache::types_of(std::get<cache::Deltas>(popped.item));
    };
    expect_equal(next_types(), "Replaced");
    expect(queue->resync().ok(), "the store is known to the queue");
    expect_equal(next_types(), "Sync");
  });
}

BOOST_AUTO_TEST_CASE(indices_are_kept) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    InformerStage stage(runtime);
    stage.options.indexers = {{"namespace", cache::meta_namespace_index}};
    stage.source->put("x/a");
    stage.source->put("y/b");
    stage.start();
    stage.settle();
    const auto found = stage.informer.store->by_index("namespace", "y");
    expect(found.ok() && found->size() == 1, "one object is in that namespace");
    expect_equal(text_of(found->front()), "y/b@2");
    stage.running->end();
  });
}

BOOST_AUTO_TEST_CASE(the_store_is_brought_up_to_date_before_the_handler_is_notified) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    InformerStage stage(runtime);
    std::string seen;
    stage.options.handler = cache::make_handler(
        {.add = [&](const auto&, bool) { seen += contents_of(*stage.informer.store) + "; "; },
         .update = [&](const auto&,
                       const auto&) { seen += contents_of(*stage.informer.store) + "; "; },
         .remove = [&](const auto&) { seen += "[" + contents_of(*stage.informer.store) + "]; "; }});
    stage.start();
    stage.settle();
    stage.source->put("a");
    stage.source->put("a");
    stage.source->remove("a");
    stage.settle();
    expect_equal(seen, "a@1; a@2; []; ");
    stage.running->end();
  });
}

BOOST_AUTO_TEST_CASE(waiting_for_sync_polls_at_once_and_then_every_100_ms) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const runtime::TimePoint start = runtime.now();
    const runtime::StopSource stop(runtime);
    const auto at_least = [&](runtime::Duration age) {
      return [&runtime, start, age] { return runtime.now() - start >= age; };
    };
    expect(cache::wait_for_cache_sync(runtime, stop.token(), {}), "nothing has synced at once");
    expect(runtime.now() == start, "without a pause");
    expect(cache::wait_for_cache_sync(runtime, stop.token(), {at_least(50ms), at_least(250ms)}),
           "both sync");
    expect(runtime.now() - start == 300ms, "the third poll finds it");
  });
}

BOOST_AUTO_TEST_CASE(waiting_for_sync_asks_from_the_left_to_the_first_no) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    runtime::StopSource stop(runtime);
    stop.stop();
    std::string asked;
    const auto says = [&asked](const char* name, bool answer) {
      return [&asked, name, answer] {
        asked += name;
        return answer;
      };
    };
    expect(!cache::wait_for_named_cache_sync(runtime, "test", stop.token(),
                                             {says("a", true), says("b", false), says("c", true)}),
           "one has not synced");
    expect_equal(asked, "ab");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
