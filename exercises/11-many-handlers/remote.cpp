// The functions of the library under test, as the tests call them.
#include "exercises/11-many-handlers/remote.hpp"

#include <utility>

namespace watchlab::exercise {
namespace {

class InformerElsewhere final : public Informer {
 public:
  InformerElsewhere(runtime::Runtime& runtime, std::unique_ptr<ServedInformer> served)
      : runtime_(runtime), served_(std::move(served)) {}

  void run(const runtime::StopToken& stop) override { served_->run_until(stop.done(runtime_)); }
  [[nodiscard]] std::unique_ptr<Registration> add_handler(
      Handler& handler, runtime::Duration resync_period) override {
    return served_->add_handler(handler, resync_period);
  }
  [[nodiscard]] bool has_synced() const override { return served_->has_synced(); }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    return served_->get(key);
  }

 private:
  runtime::Runtime& runtime_;
  std::unique_ptr<ServedInformer> served_;
};

}  // namespace

std::unique_ptr<Informer> make_informer(runtime::Runtime& runtime,
                                        std::shared_ptr<cache::ListerWatcher> source) {
  return std::make_unique<InformerElsewhere>(
      runtime, course::call_library<&serve_informer, LibraryFunctions>(runtime, source));
}

}  // namespace watchlab::exercise
