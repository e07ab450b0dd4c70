#include "core/runtime/task.hpp"
#include "core/watch/broadcaster.hpp"
#include "sim/sketches/example_event.hpp"
#include "sim/sketches/sketch.hpp"

namespace watchlab::sim {
namespace {

void play(runtime::Runtime& runtime) {
  watch::Broadcaster broadcaster(runtime, {.queue_length = 0});
  const auto watch = broadcaster.watch();
  const runtime::Task writer = runtime::spawn(runtime, "writer", [&] {
    (void)broadcaster.action(added_event("first"));
    (void)broadcaster.action(added_event("second"));
  });
  (void)(*watch)->result_channel().receive();
  (*watch)->stop();  // one event was enough
  writer.join();
  broadcaster.shutdown();
}

}  // namespace

Sketch reader_leaves_a_broadcaster() {
  return {.name = "reader_leaves_a_broadcaster",
          .doc = "A reader stops its watch of a broadcaster while an event is on its way to it.",
          .play = play};
}

}  // namespace watchlab::sim
