// What the process of the library does for tests that are in another one.
#include <utility>

#include "core/runtime/select.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/runtime/task.hpp"
#include "exercises/11-many-handlers/remote.hpp"

namespace watchlab::exercise {
namespace {

using Signal = runtime::Channel<runtime::Unit>;

class LocalInformer final : public ServedInformer {
 public:
  LocalInformer(runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source)
      : runtime_(runtime), informer_(make_informer(runtime, std::move(source))) {}

  void run_until(const Signal& stop) override {
    const auto own = std::make_shared<runtime::StopSource>(runtime_);
    Signal over(runtime_, 0, "over");
    const runtime::Task listener =
        runtime::spawn(runtime_, "stop", [&runtime = runtime_, stop, own, over] {
          if (runtime::Select(runtime).receive(stop).receive(over).wait() == 0) {
            own->stop();
          }
        });
    informer_->run(own->token());
    over.close();
    listener.join();
  }
  [[nodiscard]] std::unique_ptr<Registration> add_handler(
      Handler& handler, runtime::Duration resync_period) override {
    return informer_->add_handler(handler, resync_period);
  }
  [[nodiscard]] bool has_synced() const override { return informer_->has_synced(); }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    return informer_->get(key);
  }

 private:
  runtime::Runtime& runtime_;
  std::unique_ptr<Informer> informer_;
};

}  // namespace

std::unique_ptr<ServedInformer> serve_informer(runtime::Runtime& runtime,
                                               std::shared_ptr<cache::ListerWatcher> source) {
  return std::make_unique<LocalInformer>(runtime, std::move(source));
}

}  // namespace watchlab::exercise
