#include "sim/faults/swallow_error_event.hpp"

#include "sim/faults/event_fault.hpp"

namespace watchlab::sim {

namespace {

class SwallowErrorEvent : public EventFault {
 private:
  Verdict on_event(const Passage& /*passage*/, const watch::Event& event) override {
    return event.type == watch::EventType::Error ? Verdict(EndStream{true}) : Verdict(Pass{});
  }
};

}  // namespace

FaultEntry swallow_error_event() {
  return {
      .name = "swallow_error_event",
      .numbers = {65},
      .doc = "Where an ERROR event should come, the stream just ends: 200, no event, no reason.",
      .parameters = {},
      .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
        return std::make_unique<SwallowErrorEvent>();
      }};
}

}  // namespace watchlab::sim
