#include "core/informers/shared_informer_factory.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/core/cache/fake_source.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(shared_informer_factory_test)

namespace {

using informers::SharedInformerFactory;
using informers::SharedInformerFactoryOptions;

/// A client with one source a resource, and a factory over it.
struct FactoryStage {
  explicit FactoryStage(runtime::Runtime& runtime_in) : runtime(runtime_in), stop(runtime) {}

  SharedInformerFactory& factory() {
    if (!made) {
      made = std::make_unique<SharedInformerFactory>(
          runtime,
          [this](const api::GroupVersionResource& resource, const std::string& namespace_) {
            asked += resource.resource + "[" + namespace_ + "] ";
            return source(resource.resource);
          },
          options);
    }
    return *made;
  }
  std::shared_ptr<FakeSource> source(const std::string& resource) {
    auto& found = sources[resource];
    if (!found) {
      found = std::make_shared<FakeSource>(runtime);
    }
    return found;
  }
  void end() {
    stop.stop();
    factory().shutdown();
  }

  runtime::Runtime& runtime;
  SharedInformerFactoryOptions options;
  std::map<std::string, std::shared_ptr<FakeSource>> sources;
  std::string asked;
  runtime::StopSource stop;
  std::unique_ptr<SharedInformerFactory> made;
};

}  // namespace

BOOST_AUTO_TEST_CASE(one_resource_has_one_informer) {
  holds_everywhere([](runtime::Runtime& runtime) {
    FactoryStage stage(runtime);
    const auto first = stage.factory().for_resource(informers::config_maps()).informer;
    const auto second = stage.factory().for_resource(informers::config_maps()).informer;
    const auto other = stage.factory().for_resource(informers::pods()).informer;
    expect(first == second, "the same resource, the same informer");
    expect(first != other, "another resource, another informer");
    expect_equal(stage.asked, "configmaps[] pods[] ");
  });
}

BOOST_AUTO_TEST_CASE(a_second_start_starts_only_what_is_new) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FactoryStage stage(runtime);
    (void)stage.factory().for_resource(informers::config_maps());
    stage.factory().start(stage.stop.token());
    (void)stage.factory().for_resource(informers::pods());
    stage.factory().start(stage.stop.token());
    stage.factory().start(stage.stop.token());
    runtime::sleep_for(runtime, 1min);
    expect_equal(stage.source("configmaps")->lists, 1);
    expect_equal(stage.source("pods")->lists, 1);
    stage.end();
  });
}

BOOST_AUTO_TEST_CASE(waiting_leaves_out_what_was_not_started) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FactoryStage stage(runtime);
    (void)stage.factory().for_resource(informers::config_maps());
    stage.factory().start(stage.stop.token());
    (void)stage.factory().for_resource(informers::pods());
    const auto synced = stage.factory().wait_for_cache_sync(stage.stop.token());
    expect_equal(synced.size(), 1);
    expect(synced.at({"", "v1", "configmaps"}), "the started one has synced");
    stage.end();
  });
}

BOOST_AUTO_TEST_CASE(waiting_says_who_has_not_synced_when_the_stop_comes) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FactoryStage stage(runtime);
    const auto server = std::make_shared<ScriptedServer>(runtime);
    server->answer_list(refused());
    SharedInformerFactory factory(runtime, [&](const auto&, const auto&) { return server; });
    (void)factory.for_resource(informers::events());
    factory.start(stage.stop.token());
    const auto stopper = runtime::spawn(runtime, "stopper", [&] {
      runtime::sleep_for(runtime, 1min);
      stage.stop.stop();
    });
    expect(!factory.wait_for_cache_sync(stage.stop.token()).begin()->second, "it has not synced");
    factory.shutdown();
    stopper.join();
  });
}

BOOST_AUTO_TEST_CASE(shutdown_waits_for_all_and_lets_nothing_start_any_more) {
  holds_everywhere([](runtime::Runtime& runtime) {
    FactoryStage stage(runtime);
    const auto maps = stage.factory().for_resource(informers::config_maps()).informer;
    const auto pods = stage.factory().for_resource(informers::pods()).informer;
    stage.factory().start(stage.stop.token());
    stage.stop.stop();
    stage.factory().shutdown();
    expect(maps->is_stopped() && pods->is_stopped(), "both have ended");
    stage.factory().shutdown();
    const auto late = stage.factory().for_resource(informers::events()).informer;
    runtime::StopSource another(runtime);
    stage.factory().start(another.token());
    expect(stage.factory().wait_for_cache_sync(stage.stop.token()).size() == 2,
           "it is not started");
  });
}

BOOST_AUTO_TEST_CASE(each_resource_can_have_its_own_resync_period) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FactoryStage stage(runtime);
    stage.options.default_resync = 1h;
    stage.options.custom_resync = {{informers::pods().resource, 10s}};
    stage.source("configmaps")->put("default/a");
    stage.source("pods")->put("default/b");
    const auto maps_handler = std::make_shared<MinutesHandler>();
    // The objects of this source are ConfigMaps all, so no type is asked for.
    const informers::InformedResource any_pods{.resource = informers::pods().resource};
    const auto pods_handler = std::make_shared<MinutesHandler>();
    const auto maps = stage.factory().for_resource(informers::config_maps()).informer;
    const auto pods = stage.factory().for_resource(any_pods).informer;
    expect(maps->add_event_handler(maps_handler).ok(), "it is added");
    expect(pods->add_event_handler(pods_handler).ok(), "it is added");
    stage.factory().start(stage.stop.token());
    runtime::sleep_for(runtime, 15s);
    expect_equal(maps_handler->minutes(), "initial add default/a@1");
    expect_equal(pods_handler->minutes(),
                 "initial add default/b@1, update default/b@1 default/b@1");
    stage.end();
  });
}

BOOST_AUTO_TEST_CASE(namespace_and_tweaks_reach_every_request) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto server = std::make_shared<ScriptedServer>(runtime);
    server->answer_list(listing("10"));
    std::string asked;
    SharedInformerFactory factory(
        runtime,
        [&](const auto&, const std::string& namespace_) {
          asked = namespace_;
          return server;
        },
        {.tweak_list_options = [](api::ListOptions& request) { request.label_selector = "a=b"; },
         .namespace_ = "kitchen"});
    (void)factory.for_resource(informers::deployments());
    runtime::StopSource stop(runtime);
    factory.start(stop.token());
    runtime::sleep_for(runtime, 1min);
    stop.stop();
    factory.shutdown();
    expect_equal(asked, "kitchen");
    for (const ScriptedServer::Request& request : server->requests()) {
      expect_equal(request.options.label_selector, "a=b");
    }
    expect_equal(server->story(), "list 0, watch 10");
  });
}

BOOST_AUTO_TEST_CASE(a_lister_reads_what_the_informer_received) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FactoryStage stage(runtime);
    stage.source("configmaps")->put("x/a", {{"tier", "web"}});
    stage.source("configmaps")->put("x/b");
    stage.source("configmaps")->put("y/a");
    const auto maps = stage.factory().for_resource(informers::config_maps());
    stage.factory().start(stage.stop.token());
    expect(stage.factory().wait_for_cache_sync(stage.stop.token()).begin()->second, "it syncs");
    const api::LabelSelector everything;
    const api::LabelSelector web = *api::LabelSelector::parse("tier=web");
    expect_equal(maps.lister.list(everything).size(), 3);
    expect_equal(maps.lister.list(web).size(), 1);
    expect_equal(maps.lister.list(api::LabelSelector::nothing()).size(), 0);
    expect_equal(maps.lister.by_namespace("x").list(everything).size(), 2);
    expect_equal(maps.lister.by_namespace("y").list(web).size(), 0);
    expect_equal(maps.lister.by_namespace("").list(everything).size(), 3);
    expect_equal(text_of(*maps.lister.get("y/a")), "y/a@3");
    expect_equal(text_of(*maps.lister.by_namespace("x").get("b")), "x/b@2");
    const auto missing = maps.lister.by_namespace("x").get("c");
    expect(!missing.ok() && api::is_not_found(missing.error()), "what is not there is not found");
    expect_equal(missing.error().message, "configmaps \"c\" not found");
    stage.end();
  });
}

// A live bug of 0.32, fixed in 0.36.
BOOST_AUTO_TEST_CASE(a_transform_of_the_informers_own_is_lost_to_the_factorys_none) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FactoryStage stage(runtime);
    int transformed = 0;
    const auto informer = stage.factory().informer_for(
        informers::config_maps().resource, [&](runtime::Duration resync_period) {
          const auto own = std::make_shared<cache::SharedIndexInformer>(
              runtime,
              cache::SharedIndexInformerOptions{.lister_watcher = stage.source("configmaps"),
                                                .resync_period = resync_period});
          (void)own->set_transform([&](const api::ObjectPtr& object) {
            ++transformed;
            return api::Result<api::ObjectPtr>(object);
          });
          return own;
        });
    stage.source("configmaps")->put("a");
    stage.factory().start(stage.stop.token());
    (void)stage.factory().wait_for_cache_sync(stage.stop.token());
    expect_equal(transformed, 0);
    stage.end();
  });
}

// Mirrors TestSyncResult.
BOOST_AUTO_TEST_CASE(a_sync_result_names_what_has_not_synced) {
  const api::GroupVersionResource pods{"", "v1", "pods"};
  const api::GroupVersionResource maps{"", "v1", "configmaps"};
  informers::SyncResult result;
  BOOST_TEST(result.as_error().ok());
  result.synced = {{pods, true}, {maps, true}};
  BOOST_TEST(result.as_error().ok());
  result.error = api::Error{.message = "the stop came first"};
  result.synced = {{pods, false}, {maps, true}};
  BOOST_TEST(result.as_error().error().message ==
             "failed to sync all caches: pods: the stop came first");
  result.synced = {{pods, false}, {maps, false}};
  BOOST_TEST(result.as_error().error().message ==
             "failed to sync all caches: configmaps, pods: the stop came first");
}

BOOST_AUTO_TEST_CASE(waiting_without_polling_ends_with_the_last_sync_or_the_stop) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FactoryStage stage(runtime);
    stage.options.machine = *features::find_machine("0.33");
    (void)stage.factory().for_resource(informers::config_maps());
    (void)stage.factory().for_resource(informers::pods());
    stage.factory().start(stage.stop.token());
    (void)stage.factory().for_resource(informers::events());
    const runtime::TimePoint started = runtime.now();
    const informers::SyncResult all = stage.factory().wait_until_synced(stage.stop.token());
    expect(all.as_error().ok() && all.synced.size() == 2, "what was started has synced");
    expect(runtime.now() == started, "no time was spent on polls");
    stage.end();
  });
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto server = std::make_shared<ScriptedServer>(runtime);
    server->answer_list(refused());
    SharedInformerFactory factory(runtime, [&](const auto&, const auto&) { return server; },
                                  {.machine = *features::find_machine("0.33")});
    (void)factory.for_resource(informers::events());
    runtime::StopSource stop(runtime);
    factory.start(stop.token());
    const runtime::Task stopper = runtime::spawn(runtime, "stopper", [&] {
      runtime::sleep_for(runtime, 300ms);
      stop.stop();
    });
    expect_equal(factory.wait_until_synced(stop.token()).as_error().error().message,
                 "failed to sync all caches: events: the stop came first");
    factory.shutdown();
    stopper.join();
  });
}

BOOST_AUTO_TEST_CASE(named_informers_are_measured_until_the_shutdown) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    cache::InformerNames names(runtime);
    FactoryStage stage(runtime);
    std::string measured;
    stage.options.name = names.take("stage").value();
    stage.options.metrics = [&](const cache::InformerIdentity& identity) {
      measured += identity.name() + "/" + identity.resource().resource + " ";
      return informers::InformerMetrics();
    };
    (void)stage.factory().for_resource(informers::config_maps());
    (void)stage.factory().for_resource(informers::config_maps());
    (void)stage.factory().for_resource(informers::pods());
    expect_equal(measured, "stage/configmaps stage/pods ");
    expect(!names.take("stage").ok(), "the name is taken");
    stage.end();
    expect(names.take("stage").ok(), "and free once all have ended");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
