#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "core/runtime/channel.hpp"
#include "core/runtime/task.hpp"
#include "core/watch/broadcaster.hpp"
#include "core/watch/fake_watcher.hpp"
#include "core/watch/stream_watcher.hpp"
#include "core/watch/watch.hpp"
#include "core/watchtools/event_processor.hpp"
#include "core/watchtools/retry_watcher.hpp"
#include "scenarios/programs/catalogue.hpp"
#include "scenarios/programs/small_cluster.hpp"

namespace watchlab::scenarios {
namespace {

void leave_a_filtered_watch(runtime::Runtime& runtime) {
  const auto source = std::make_shared<watch::FakeWatcher>(runtime);
  const std::shared_ptr<watch::Watcher> filtered = watch::filter(
      runtime, source, [](watch::Event event) -> std::optional<watch::Event> { return event; });
  source->add(std::make_shared<const api::Object>());
  // The task that stops a watch does not read it any more.
  filtered->stop();
}

void put_into_a_closing_broadcaster(runtime::Runtime& runtime) {
  watch::Broadcaster broadcaster(runtime, {.queue_length = 1});
  const runtime::Task sender = runtime::spawn(runtime, "sender", [&broadcaster] {
    // Refused or distributed, as it comes; both are fine.
    (void)broadcaster.action(
        {.type = watch::EventType::Added, .object = nullptr, .status = nullptr});
  });
  broadcaster.shutdown();
  sender.join();
}

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
      fmt::format("{} requests within a minute for a revision that is gone, and no error event",
                  asked));
}

void stop_a_full_watcher(runtime::Runtime& runtime) {
  constexpr int events = 3;
  watch::Broadcaster broadcaster(runtime, {.queue_length = 1});
  const std::shared_ptr<watch::Watcher> watcher = broadcaster.watch().value();
  const runtime::Task sender = runtime::spawn(runtime, "sender", [&broadcaster] {
    for (int i = 0; i < events; ++i) {
      (void)broadcaster.action(
          {.type = watch::EventType::Added, .object = nullptr, .status = nullptr});
    }
  });
  runtime::Channel<watch::Event> result = watcher->result_channel();
  (void)result.receive();
  watcher->stop();
  sender.join();
  broadcaster.shutdown();
}

/// A stream that makes no sense from its first byte on.
class Garbage : public watch::Decoder {
 public:
  api::Result<watch::Event> decode() override {
    return api::Error{.kind = api::ErrorKind::Decode, .message = "no JSON", .status = {}};
  }
  void close(runtime::Location /*here*/) override {}
};

void stop_a_garbled_stream(runtime::Runtime& runtime) {
  watch::StreamWatcher watcher(runtime, std::make_unique<Garbage>());
  // The task that stops a watch does not read it any more.
  watcher.stop();
}

void stop_an_idle_processor(runtime::Runtime& runtime) {
  watchtools::EventProcessor processor(runtime, runtime::Channel<watch::Event>(runtime, 0, "out"));
  const runtime::Task runner = runtime::spawn(runtime, "runner", [&processor] { processor.run(); });
  processor.stop();
  runner.join();
}

}  // namespace

std::vector<Program> watch_programs() {
  return {
      {.name = "leave_a_filtered_watch",
       .doc = "The reader of a filtered watch stops it and goes away while an event is on its way.",
       .play = leave_a_filtered_watch,
       .holds = false},
      {.name = "put_into_a_closing_broadcaster",
       .doc = "A task puts an event into a broadcaster while another one shuts it down.",
       .play = put_into_a_closing_broadcaster},
      {.name = "retry_a_watch_that_is_gone",
       .doc = "A RetryWatcher is refused for a minute because its revision is gone.",
       .play = retry_a_watch_that_is_gone,
       .holds = false},
      {.name = "stop_a_full_watcher",
       .doc = "A watcher of a broadcaster stops without having read what is meant for it.",
       .play = stop_a_full_watcher},
      {.name = "stop_a_garbled_stream",
       .doc = "The reader of a stream stops it and goes away while the stream turns out to be "
              "garbage.",
       .play = stop_a_garbled_stream},
      {.name = "stop_an_idle_processor",
       .doc = "An event processor that has nothing to do is stopped.",
       .play = stop_an_idle_processor},
  };
}

}  // namespace watchlab::scenarios
