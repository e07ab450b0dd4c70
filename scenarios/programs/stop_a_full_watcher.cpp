#include <memory>

#include "core/runtime/task.hpp"
#include "core/watch/broadcaster.hpp"
#include "scenarios/programs/programs.hpp"

namespace watchlab::scenarios {

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

}  // namespace watchlab::scenarios
