#include "core/runtime/task.hpp"
#include "core/watch/broadcaster.hpp"
#include "scenarios/programs/programs.hpp"

namespace watchlab::scenarios {

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

}  // namespace watchlab::scenarios
