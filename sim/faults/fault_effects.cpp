#include "sim/faults/fault_effects.hpp"

namespace watchlab::sim {

namespace {

class StageFault : public Fault {
 public:
  StageFault(Stage stage, std::function<Verdict(const Passage&)> judge)
      : stage_(stage), judge_(std::move(judge)) {}

  Verdict judge(const Passage& passage) override {
    return passage.stage == stage_ ? judge_(passage) : Verdict(Pass{});
  }

 private:
  Stage stage_;
  std::function<Verdict(const Passage&)> judge_;
};

}  // namespace

std::unique_ptr<Fault> fault_at(Stage stage, std::function<Verdict(const Passage&)> judge) {
  return std::make_unique<StageFault>(stage, std::move(judge));
}

std::unique_ptr<Fault> fault_at(Stage stage, Verdict verdict) {
  return std::make_unique<StageFault>(
      stage, [verdict = std::move(verdict)](const Passage& /*passage*/) { return verdict; });
}

std::unique_ptr<Fault> distort_at(Stage stage, std::function<void(WireMessage&)> how) {
  return fault_at(stage, Distort{std::move(how)});
}

bool is_change(const watch::Event& event) {
  return event.object != nullptr && event.type != watch::EventType::Bookmark;
}

watch::Event error_event(api::Status status) {
  return {watch::EventType::Error, nullptr, std::make_shared<const api::Status>(std::move(status))};
}

}  // namespace watchlab::sim
