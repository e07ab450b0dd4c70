#include <memory>

#include "core/cache/shared_processor.hpp"
#include "core/runtime/task.hpp"
#include "sim/sketches/sketch.hpp"

namespace watchlab::sim {
namespace {

void play(runtime::Runtime& runtime) {
  const auto processor = std::make_shared<cache::SharedProcessor>(runtime);
  processor->add_listener(std::make_shared<cache::ProcessorListener>(
      runtime, cache::ProcessorListenerOptions{.handler = cache::make_handler({})}));
  runtime::StopSource stop(runtime);
  const runtime::Task run = runtime::spawn(runtime, "run", [&] { processor->run(stop.token()); });
  const runtime::Task check =
      runtime::spawn(runtime, "check", [&] { (void)processor->should_resync(); });
  processor->distribute(std::make_shared<const cache::Notification>(cache::DeleteNotification{}),
                        false);
  check.join();
  stop.stop();
  run.join();
}

}  // namespace

Sketch fan_out_before_the_start() {
  return {.name = "fan_out_before_the_start",
          .doc = "A shared informer tells and checks for resyncs before its listeners run.",
          .play = play};
}

}  // namespace watchlab::sim
