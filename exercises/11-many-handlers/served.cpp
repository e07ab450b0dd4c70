// What the process of the library does for tests that are in another one.
#include <utility>

#include "exercises/11-many-handlers/remote.hpp"
#include "exercises/toolkit/remote_run.hpp"

namespace watchlab::exercise {
namespace {

class LocalInformer final : public ServedInformer {
 public:
  LocalInformer(runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source)
      : runtime_(runtime), informer_(make_informer(runtime, std::move(source))) {}

  void run_until(const course::Signal& stop) override {
    course::run_until(runtime_, stop,
                      [this](const runtime::StopToken& own) { informer_->run(own); });
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
