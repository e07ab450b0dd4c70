#include "sim/faults/black_hole.hpp"

namespace watchlab::sim {

namespace {

class BlackHole : public Fault {
 public:
  explicit BlackHole(const FaultParameters& parameters)
      : detected_after_(parameters.duration("detected_after")) {}

  void strike(ControlPlane& /*servers*/, runtime::TimePoint now) override { since_ = now; }

  Verdict judge(const Passage& passage) override {
    const bool detected =
        detected_after_ > runtime::Duration::zero() && passage.now >= since_ + detected_after_;
    if (passage.stage == Stage::Stream) {
      return detected ? Verdict(EndStream{false}) : Verdict(Pass{});
    }
    return Lose{.and_what_follows = true};
  }

  std::optional<runtime::TimePoint> next_wake(const Passage& /*passage*/) override {
    return detected_after_ > runtime::Duration::zero() ? std::optional(since_ + detected_after_)
                                                       : std::nullopt;
  }

  bool only_open_streams() const override { return true; }

 private:
  runtime::Duration detected_after_;
  runtime::TimePoint since_;
};

}  // namespace

FaultEntry black_hole() {
  return {.name = "black_hole",
          .numbers = {12},
          .doc =
              "Nothing passes any more, and nobody is told: neither events, answers nor the ends "
              "of streams.",
          .scope = FaultScope::Streams,
          .parameters = {{"detected_after", ParameterKind::Duration, runtime::Duration{},
                          "After how long the client's pings find it out, 45s for HTTP/2; never if "
                          "left out."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            return std::make_unique<BlackHole>(given);
          }};
}

}  // namespace watchlab::sim
