#pragma once

#include <memory>
#include <optional>

#include "core/cache/informer.hpp"
#include "tests/core/cache/fake_source.hpp"

namespace watchlab::tests {

/// An informer with a handler that keeps minutes.
struct InformerStage {
  explicit InformerStage(runtime::Runtime& runtime_in)
      : runtime(runtime_in),
        source(std::make_shared<FakeSource>(runtime)),
        handler(std::make_shared<MinutesHandler>()) {
    options.lister_watcher = source;
    options.handler = handler;
  }
  void start() {
    informer = cache::new_informer_with_options(runtime, options);
    running.emplace(runtime, *informer.controller);
  }
  /// Lets everything come to rest.
  void settle() { runtime::sleep_for(runtime, 2min); }

  runtime::Runtime& runtime;
  std::shared_ptr<FakeSource> source;
  std::shared_ptr<MinutesHandler> handler;
  cache::InformerOptions options;
  cache::Informer informer;
  std::optional<Running> running;
};

}  // namespace watchlab::tests
