#include "sim/faults/stall_watch.hpp"

namespace watchlab::sim {

namespace {

class StallWatch : public Fault {
 public:
  explicit StallWatch(const FaultParameters& parameters) : span_(parameters.duration("span")) {}

  void strike(ControlPlane& /*servers*/, runtime::TimePoint now) override { until_ = now + span_; }

  Verdict judge(const Passage& passage) override {
    const bool on_stream = passage.stage == Stage::Frame || passage.stage == Stage::End;
    return on_stream && passage.left < until_ ? Verdict(Delay{until_ - passage.left})
                                              : Verdict(Pass{});
  }

 private:
  runtime::Duration span_;
  runtime::TimePoint until_;
};

}  // namespace

FaultEntry stall_watch() {
  return {.name = "stall_watch",
          .numbers = {13},
          .doc = "Open watches fall silent for a while, and then everything comes at once.",
          .parameters = {{"span", ParameterKind::Duration, std::nullopt, "For how long."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            return std::make_unique<StallWatch>(given);
          }};
}

}  // namespace watchlab::sim
