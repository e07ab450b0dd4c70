#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/cache/informer.hpp"
#include "core/cache/shared_index_informer.hpp"
#include "tests/core/cache/fake_source.hpp"

namespace watchlab::tests {

/// A shared informer between a source and handlers that keep minutes.
struct SharedInformerStage {
  explicit SharedInformerStage(runtime::Runtime& runtime_in)
      : runtime(runtime_in), source(std::make_shared<FakeSource>(runtime)) {
    options.lister_watcher = source;
  }

  /// The informer; made at the first call, so set options before.
  cache::SharedIndexInformer& informer() {
    if (!made) {
      made = std::make_unique<cache::SharedIndexInformer>(runtime, options);
    }
    return *made;
  }
  void start() { running.emplace(runtime, informer()); }
  /// Lets everything come to rest.
  void settle(runtime::Duration time = 2min) { runtime::sleep_for(runtime, time); }
  void end() { running->end(); }

  /// Adds a handler that keeps minutes.
  std::shared_ptr<MinutesHandler> join() {
    auto handler = std::make_shared<MinutesHandler>();
    last_registration = join(handler);
    return handler;
  }
  cache::RegistrationPtr join(std::shared_ptr<cache::ResourceEventHandler> handler) {
    return informer().add_event_handler(std::move(handler)).value();
  }
  std::shared_ptr<MinutesHandler> join_with_resync(runtime::Duration period) {
    auto handler = std::make_shared<MinutesHandler>();
    last_registration = informer().add_event_handler_with_resync_period(handler, period).value();
    return handler;
  }

  runtime::Runtime& runtime;
  std::shared_ptr<FakeSource> source;
  cache::SharedIndexInformerOptions options;
  std::unique_ptr<cache::SharedIndexInformer> made;
  std::optional<Running> running;
  cache::RegistrationPtr last_registration;
};

/// Plays the body as `holds_in_every_world`, with an informer of each of three machines.
inline void holds_on_each_machine(const std::function<void(SharedInformerStage& stage)>& body) {
  for (const char* name : kThreeMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      SharedInformerStage stage(runtime);
      stage.options.machine = listing_machine(name);
      body(stage);
    });
  }
}

}  // namespace watchlab::tests
