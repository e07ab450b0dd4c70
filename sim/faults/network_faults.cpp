#include <stdexcept>

#include "sim/faults/fault_catalogue.hpp"
#include "sim/faults/fault_effects.hpp"

namespace watchlab::sim {

namespace {

class BlackHole : public Fault {
 public:
  explicit BlackHole(const FaultParameters& parameters)
      : detected_after_(parameters.duration("detected_after")) {}

  void activate(ControlPlane& /*servers*/, runtime::TimePoint now) override { since_ = now; }

  Verdict evaluate(const MessageContext& context) override {
    const bool detected =
        detected_after_ > runtime::Duration::zero() && context.now >= since_ + detected_after_;
    if (context.stage == Stage::Stream) {
      return detected ? Verdict(EndStream{false}) : Verdict(Pass{});
    }
    return Drop{.and_what_follows = true};
  }

  std::optional<runtime::TimePoint> next_wake(const MessageContext& /*context*/) override {
    return detected_after_ > runtime::Duration::zero() ? std::optional(since_ + detected_after_)
                                                       : std::nullopt;
  }

  bool only_open_streams() const override { return true; }

 private:
  runtime::Duration detected_after_;
  runtime::TimePoint since_;
};

/// Bursts come at fixed distances from the opening of each stream.
class BufferEvents : public EventFault {
 public:
  explicit BufferEvents(const FaultParameters& parameters) : every_(parameters.duration("every")) {
    if (every_ <= runtime::Duration::zero()) {
      throw std::invalid_argument("the time between two bursts must be positive");
    }
  }

 private:
  Verdict on_event(const MessageContext& context, const watch::Event& /*event*/) override {
    return Delay{every_ - (context.left - context.opened) % every_};
  }

  runtime::Duration every_;
};

Stage stage_to_delay(const FaultParameters& given) {
  const std::optional<Stage> stage = stage_named(given.text("what"));
  if (!stage || stage == Stage::End) {
    throw std::invalid_argument("what comes late must be \"requests\", \"answers\" or \"events\"");
  }
  return *stage;
}

std::unique_ptr<Fault> delay(const FaultParameters& given) {
  return fault_at(stage_to_delay(given), Delay{given.duration("by")});
}

std::unique_ptr<Fault> hang_requests(const FaultParameters& given) {
  const runtime::Duration after = given.duration("after");
  if (after > runtime::Duration::zero()) {
    return fault_at(Stage::Request, Fail{*failure_for(AnswerKind::GatewayTimeout), after});
  }
  return fault_at(Stage::Request, Drop{});
}

class StallWatch : public Fault {
 public:
  explicit StallWatch(const FaultParameters& parameters) : span_(parameters.duration("span")) {}

  void activate(ControlPlane& /*servers*/, runtime::TimePoint now) override {
    until_ = now + span_;
  }

  Verdict evaluate(const MessageContext& context) override {
    const bool on_stream = context.stage == Stage::Frame || context.stage == Stage::End;
    return on_stream && context.left < until_ ? Verdict(Delay{until_ - context.left})
                                              : Verdict(Pass{});
  }

 private:
  runtime::Duration span_;
  runtime::TimePoint until_;
};

}  // namespace

std::vector<FaultEntry> network_faults() {
  return {
      {.name = "black_hole",
       .numbers = {12},
       .doc = "Nothing gets through any more, and neither side is told: no events, no answers, no "
              "ends of streams.",
       .scope = FaultScope::Streams,
       .parameters =
           {{"detected_after", ParameterKind::Duration, runtime::Duration{},
             "How long until the client's pings detect it; 45s for HTTP/2. Never if omitted."}},
       .make = make_effect<BlackHole>},
      {.name = "buffer_events",
       .numbers = {17},
       .doc = "A proxy buffers events and passes them on in bursts.",
       .parameters = {{"every", ParameterKind::Duration, std::nullopt,
                       "The time between two bursts.", 1}},
       .make = make_effect<BufferEvents>},
      {.name = "delay",
       .numbers = {3, 13, 17},
       .doc = "Messages arrive late. Events of one watch stay in order.",
       .parameters = {{"by", ParameterKind::Duration, std::nullopt, "How late."},
                      {"what", ParameterKind::Text, "answers",
                       "\"requests\", \"answers\" or \"events\"."}},
       .make = delay},
      {.name = "hang_requests",
       .numbers = {31},
       .doc = "Requests get no answer, or a 504 after a while.",
       .parameters = {{"after", ParameterKind::Duration, runtime::Duration{},
                       "When the 504 comes; 60s on a real server. Never if omitted."}},
       .make = hang_requests},
      {.name = "stall_watch",
       .numbers = {13},
       .doc = "Open watches go silent for a while, and then everything comes at once.",
       .parameters = {{"span", ParameterKind::Duration, std::nullopt, "For how long."}},
       .make = make_effect<StallWatch>},
  };
}

}  // namespace watchlab::sim
