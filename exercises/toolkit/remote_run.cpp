#include "exercises/toolkit/remote_run.hpp"

#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"

namespace watchlab::course {

void run_until(runtime::Runtime& runtime, const Signal& stop,
               const std::function<void(const runtime::StopToken&)>& run) {
  const auto own = std::make_shared<runtime::StopSource>(runtime);
  Signal over(runtime, 0, "over");
  const runtime::Task listener = runtime::spawn(runtime, "stop", [&runtime, stop, own, over] {
    if (runtime::Select(runtime).receive(stop).receive(over).wait() == 0) {
      own->stop();
    }
  });
  run(own->token());
  over.close();
  listener.join();
}

}  // namespace watchlab::course
