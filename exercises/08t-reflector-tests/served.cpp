// What the process of the library does for tests that are in another one.
#include <utility>

#include "core/runtime/select.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/runtime/task.hpp"
#include "exercises/08t-reflector-tests/remote.hpp"

namespace watchlab::exercise {
namespace {

using Signal = runtime::Channel<runtime::Unit>;

class LocalReflector final : public ServedReflector {
 public:
  LocalReflector(runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source,
                 Mirror& mirror)
      : runtime_(runtime), reflector_(make_reflector(runtime, std::move(source), mirror)) {}

  void run_until(const Signal& stop) override {
    const auto own = std::make_shared<runtime::StopSource>(runtime_);
    Signal over(runtime_, 0, "over");
    const runtime::Task listener =
        runtime::spawn(runtime_, "stop", [&runtime = runtime_, stop, own, over] {
          if (runtime::Select(runtime).receive(stop).receive(over).wait() == 0) {
            own->stop();
          }
        });
    reflector_->run(own->token());
    over.close();
    listener.join();
  }

 private:
  runtime::Runtime& runtime_;
  std::unique_ptr<Reflector> reflector_;
};

}  // namespace

std::unique_ptr<ServedReflector> serve_reflector(runtime::Runtime& runtime,
                                                 std::shared_ptr<cache::ListerWatcher> source,
                                                 Mirror& mirror) {
  return std::make_unique<LocalReflector>(runtime, std::move(source), mirror);
}

}  // namespace watchlab::exercise
