#include "core/client/resource_client.hpp"

#include <boost/test/unit_test.hpp>

#include "core/client/discovery.hpp"
#include "core/runtime/fibers/fiber_runtime.hpp"
#include "core/runtime/thread_runtime.hpp"
#include "tests/core/client/every_write.hpp"
#include "tests/sim/http/served_server.hpp"

using namespace watchlab;
using namespace watchlab::client;

BOOST_AUTO_TEST_SUITE(resource_client_test)

namespace {

const api::GroupVersionResource kMaps{"", "v1", "configmaps"};

api::Object config_map(const std::string& name) {
  return {.api_version = "v1", .kind = "ConfigMap", .metadata = {.name = name}};
}

std::string next_of(const std::shared_ptr<watch::Watcher>& watcher) {
  const std::optional<watch::Event> event = watcher->result_channel().receive();
  if (!event) {
    return "end";
  }
  return std::string(watch::to_string(event->type)) + " " +
         (event->object ? std::string(event->object->metadata.name) : event->status->message);
}

ClientConfig config_of(const sim::ServedServer& served) {
  return {.server = served.server.url(), .authority = served.server.authority()};
}

/// What holds of a client on any runtime, over plain HTTP or TLS.
void list_watch_and_write(runtime::Runtime& runtime, const IoLoop& loop, bool tls) {
  const sim::ServedServer served({}, {.tls = tls});
  const auto rest = *RestClient::make(loop, config_of(served));
  ResourceClient maps(rest, kMaps, "default");
  const runtime::StopSource stop(runtime);
  BOOST_TEST((*maps.create(stop.token(), config_map("a")))->metadata.name == "a");
  const api::ObjectList list = *maps.list(stop.token(), {});
  BOOST_TEST(list.items.size() == 1U);
  const auto watcher =
      *maps.watch(stop.token(), {.resource_version = list.resource_version, .timeout_seconds = 60});
  api::Object changed = **maps.get(stop.token(), "a");
  changed.metadata.labels["color"] = "red";
  BOOST_TEST((*maps.update(stop.token(), changed))->metadata.labels.at("color") == "red");
  BOOST_TEST(maps.remove(stop.token(), "a").ok());
  BOOST_TEST(next_of(watcher) == "MODIFIED a");
  BOOST_TEST(next_of(watcher) == "DELETED a");
  watcher->stop();
  BOOST_TEST(next_of(watcher) == "end");
  BOOST_TEST(api::is_not_found(maps.get(stop.token(), "a").error()));
}

}  // namespace

BOOST_AUTO_TEST_CASE(lists_watches_and_writes_on_fibers) {
  for (const std::size_t threads : {1, 2}) {
    for (const bool tls : {false, true}) {
      runtime::FiberRuntime fibers({.threads = threads});
      const IoLoop loop(fibers);
      fibers.run([&](runtime::Runtime& runtime) { list_watch_and_write(runtime, loop, tls); });
    }
  }
}

BOOST_AUTO_TEST_CASE(lists_watches_and_writes_on_threads) {
  for (const bool tls : {false, true}) {
    runtime::ThreadRuntime threads;
    const IoLoop loop(threads);
    list_watch_and_write(threads, loop, tls);
  }
}

BOOST_AUTO_TEST_CASE(every_way_to_write_changes_its_part_and_no_other) {
  runtime::FiberRuntime fibers;
  const IoLoop loop(fibers);
  fibers.run([&](runtime::Runtime&) {
    const sim::ServedServer served;
    const auto rest = *RestClient::make(loop, config_of(served));
    const auto all = tests::EveryWrite(rest).play();
    BOOST_TEST(all.size() == 14U);
    for (const tests::Written& each : all) {
      BOOST_TEST(each.came == each.wanted, each.way << ": " << each.came);
    }
  });
}

BOOST_AUTO_TEST_CASE(a_server_may_be_named) {
  runtime::FiberRuntime fibers;
  const IoLoop loop(fibers);
  fibers.run([&](runtime::Runtime& runtime) {
    const sim::ServedServer served({}, {.tls = true});
    ClientConfig config = config_of(served);
    config.server = "https://localhost:" + std::to_string(served.server.port());
    const runtime::StopSource stop(runtime);
    ResourceClient maps(*RestClient::make(loop, config), kMaps, "default");
    BOOST_TEST(maps.list(stop.token(), {}).ok());
  });
}

BOOST_AUTO_TEST_CASE(a_resource_is_found_by_what_people_call_it) {
  runtime::FiberRuntime fibers;
  const IoLoop loop(fibers);
  fibers.run([&](runtime::Runtime& runtime) {
    const sim::ServedServer served;
    const auto rest = *RestClient::make(loop, config_of(served));
    const runtime::StopSource stop(runtime);
    for (const std::string name : {"deployments", "deploy", "Deployment", "deployments.apps"}) {
      const api::Result<ServedResource> found = find_resource(*rest, stop.token(), name);
      BOOST_REQUIRE_MESSAGE(found.ok(), name);
      BOOST_TEST((found->resource == api::GroupVersionResource{"apps", "v1", "deployments"}));
      BOOST_TEST(found->namespaced);
    }
    BOOST_TEST(!find_resource(*rest, stop.token(), "nodes")->namespaced);
    BOOST_TEST(find_resource(*rest, stop.token(), "podz")
                   .error()
                   .message.starts_with("the server has no resource 'podz'; there are: pods"));
  });
}

BOOST_AUTO_TEST_SUITE_END()
