// What the process of the library does for tests that are in another one.
#include <utility>

#include "core/runtime/select.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/runtime/task.hpp"
#include "exercises/20-all-together/remote.hpp"

namespace watchlab::exercise {
namespace {

using Signal = runtime::Channel<runtime::Unit>;

class LocalPipeline final : public ServedPipeline {
 public:
  LocalPipeline(runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source,
                Mirror& mirror, runtime::Duration work)
      : runtime_(runtime), pipeline_(make_pipeline(runtime, std::move(source), mirror, work)) {}

  void run_until(const Signal& stop) override {
    const auto own = std::make_shared<runtime::StopSource>(runtime_);
    Signal over(runtime_, 0, "over");
    const runtime::Task listener =
        runtime::spawn(runtime_, "stop", [&runtime = runtime_, stop, own, over] {
          if (runtime::Select(runtime).receive(stop).receive(over).wait() == 0) {
            own->stop();
          }
        });
    pipeline_->run(own->token());
    over.close();
    listener.join();
  }

 private:
  runtime::Runtime& runtime_;
  std::unique_ptr<Pipeline> pipeline_;
};

}  // namespace

std::unique_ptr<ServedPipeline> serve_pipeline(runtime::Runtime& runtime,
                                               std::shared_ptr<cache::ListerWatcher> source,
                                               Mirror& mirror, runtime::Duration work) {
  return std::make_unique<LocalPipeline>(runtime, std::move(source), mirror, work);
}

}  // namespace watchlab::exercise
