#include <memory>

#include "core/cache/shared_index_informer.hpp"
#include "core/runtime/task.hpp"
#include "sim/kernel/violation.hpp"
#include "sim/network/connection.hpp"
#include "sim/sketches/sketch.hpp"

namespace watchlab::sim {
namespace {

std::size_t lists_of(ServerHost& host) {
  std::size_t lists = 0;
  for (const Exchange& exchange : host.exchanges()) {
    lists += exchange.request.verb == Verb::List ? 1 : 0;
  }
  return lists;
}

void play(runtime::Runtime& runtime) {
  const auto host = ServerHost::make(runtime);
  cache::SharedIndexInformerOptions options;
  options.lister_watcher = std::make_shared<Connection>(host, ConnectionOptions{});
  cache::SharedIndexInformer informer(runtime, options);
  runtime::StopSource stop(runtime);
  const auto run = [&] { informer.run(stop.token()); };
  const runtime::Task first = runtime::spawn(runtime, "first", run);
  const runtime::Task second = runtime::spawn(runtime, "second", run);
  runtime::sleep_for(runtime, std::chrono::seconds(1));
  stop.stop();
  first.join();
  second.join();
  if (lists_of(*host) != 1) {
    throw Violation("the informer listed twice: both calls of run found that it had not started");
  }
}

}  // namespace

Sketch two_runs_of_one_informer() {
  return {.name = "two_runs_of_one_informer",
          .doc = "Two tasks run the same shared informer at the same moment.",
          .play = play};
}

}  // namespace watchlab::sim
