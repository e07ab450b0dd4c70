#include "core/runtime/task.hpp"
#include "core/watch/broadcaster.hpp"
#include "sim/sketches/example_event.hpp"
#include "sim/sketches/sketch.hpp"

namespace watchlab::sim {
namespace {

void play(runtime::Runtime& runtime) {
  watch::Broadcaster broadcaster(runtime, {.queue_length = 1});
  const runtime::Task writer = runtime::spawn(runtime, "writer", [&] {
    (void)broadcaster.action(added_event("demo"));  // refused after the shutdown, and that is fine
  });
  broadcaster.shutdown();
  writer.join();
}

}  // namespace

Sketch broadcaster_shut_down_under_a_writer() {
  return {.name = "broadcaster_shut_down_under_a_writer",
          .doc = "One task puts an event into a broadcaster while another shuts it down.",
          .play = play};
}

}  // namespace watchlab::sim
