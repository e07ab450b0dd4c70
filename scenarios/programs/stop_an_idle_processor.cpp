#include "core/runtime/channel.hpp"
#include "core/runtime/task.hpp"
#include "core/watchtools/event_processor.hpp"
#include "scenarios/programs/programs.hpp"

namespace watchlab::scenarios {

void stop_an_idle_processor(runtime::Runtime& runtime) {
  watchtools::EventProcessor processor(runtime, runtime::Channel<watch::Event>(runtime, 0, "out"));
  const runtime::Task runner = runtime::spawn(runtime, "runner", [&processor] { processor.run(); });
  processor.stop();
  runner.join();
}

}  // namespace watchlab::scenarios
