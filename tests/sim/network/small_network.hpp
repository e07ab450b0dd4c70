#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/runtime/task.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "sim/network/connection.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::sim {

/// A host with one client that is asked in short words, for bodies that run in a world.
struct SmallNetwork {
  explicit SmallNetwork(runtime::Runtime& host_runtime, ServerHostOptions options = {},
                        Transport transport = Transport::Direct)
      : runtime(host_runtime),
        host(ServerHost::make(host_runtime, std::move(options))),
        stop(host_runtime),
        connection(host, {.client = "reflector", .transport = transport}) {}

  static Request about(Verb verb, const std::string& name) {
    Request request{
        .verb = verb, .resource = {"", "v1", "configmaps"}, .namespace_ = "default", .name = name};
    request.object = std::make_shared<const api::Object>(
        api::Object{.api_version = "v1",
                    .kind = "ConfigMap",
                    .metadata = {.name = name, .namespace_ = "default"}});
    return request;
  }
  void create(const std::string& name) { (void)host->write(about(Verb::Create, name)); }
  void remove(const std::string& name) { (void)host->write(about(Verb::Delete, name)); }
  void sleep(runtime::Duration span) { runtime::sleep_for(runtime, span); }

  api::Result<api::ObjectList> list(const api::ListOptions& options = {}) {
    return connection.list(stop.token(), options);
  }
  std::shared_ptr<watch::Watcher> watch(const api::ListOptions& options) {
    return *connection.watch(stop.token(), options);
  }
  /// The next event as text; "closed" when there will be none.
  static std::string next(watch::Watcher& watcher) {
    const std::optional<watch::Event> event = watcher.result_channel().receive();
    return event ? event_text(*event) : "closed";
  }
  /// How the last stream ended.
  std::string last_end() {
    const std::vector<Exchange> exchanges = host->exchanges();
    return exchanges.empty() ? "" : std::string(to_string(exchanges.back().end));
  }

  runtime::Runtime& runtime;
  std::shared_ptr<ServerHost> host;
  runtime::StopSource stop;
  Connection connection;
};

/// Watches, writes three times, and expects the three events in order and the end of the stream
/// after the stop, whatever the transport.
inline void expect_events_in_order_until_stopped(SmallNetwork& net) {
  const auto watcher = net.watch({.resource_version = "2"});
  net.create("a");
  net.create("b");
  net.remove("a");
  tests::expect_equal(net.next(*watcher), "ADDED default/a rv=3");
  tests::expect_equal(net.next(*watcher), "ADDED default/b rv=4");
  tests::expect_equal(net.next(*watcher), "DELETED default/a rv=5");
  watcher->stop();
  tests::expect_equal(net.next(*watcher), "closed");
}

}  // namespace watchlab::sim
