#include <memory>

#include "core/cache/shared_index_informer.hpp"
#include "core/runtime/task.hpp"
#include "scenarios/programs/programs.hpp"
#include "scenarios/programs/small_cluster.hpp"
#include "sim/network/connection.hpp"

namespace watchlab::scenarios {
namespace {

std::size_t lists_of(sim::ServerHost& host) {
  std::size_t lists = 0;
  for (const sim::Exchange& exchange : host.exchanges()) {
    lists += exchange.request.verb == sim::Verb::List ? 1 : 0;
  }
  return lists;
}

}  // namespace

void run_an_informer_twice(runtime::Runtime& runtime) {
  const auto host = sim::ServerHost::make(runtime);
  cache::SharedIndexInformerOptions options;
  options.lister_watcher = std::make_shared<sim::Connection>(host, sim::ConnectionOptions{});
  cache::SharedIndexInformer informer(runtime, options);
  runtime::StopSource stop(runtime);
  const auto run = [&] { informer.run(stop.token()); };
  const runtime::Task first = runtime::spawn(runtime, "first", run);
  const runtime::Task second = runtime::spawn(runtime, "second", run);
  runtime::sleep_for(runtime, std::chrono::seconds(1));
  stop.stop();
  first.join();
  second.join();
  expect_that(lists_of(*host) == 1,
              "the informer listed twice: both calls of run found that it had not started");
}

}  // namespace watchlab::scenarios
