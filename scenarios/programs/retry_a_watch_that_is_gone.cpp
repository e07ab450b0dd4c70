#include <fmt/format.h>

#include "core/runtime/task.hpp"
#include "core/watchtools/retry_watcher.hpp"
#include "scenarios/programs/programs.hpp"
#include "scenarios/programs/small_cluster.hpp"

namespace watchlab::scenarios {
void retry_a_watch_that_is_gone(runtime::Runtime& runtime) {
  int asked = 0;
  const auto watcher =
      watchtools::RetryWatcher::make(
          runtime, {.initial_resource_version = "1",
                    .watch = [&asked](const runtime::StopToken&, const api::ListOptions&)
                        -> api::Result<std::shared_ptr<watch::Watcher>> {
                      ++asked;
                      return api::error_from(api::failure(api::StatusReason::Expired,
                                                          "too old resource version: 1 (100)"));
                    },
                    .stop = {}})
          .value();
  runtime::Channel<watch::Event> events = watcher->result_channel();
  const auto reader = runtime::spawn(runtime, "reader", [events]() mutable {
    while (events.receive()) {
    }
  });
  runtime::sleep_for(runtime, std::chrono::minutes(1));
  watcher->stop();
  reader.join();
  expect_that(
      asked == 1,
      fmt::format("{} requests within a minute for a revision that is gone, and nobody was told",
                  asked));
}

}  // namespace watchlab::scenarios
