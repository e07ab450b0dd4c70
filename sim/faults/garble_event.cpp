#include "sim/faults/garble_event.hpp"

#include "sim/faults/event_fault.hpp"

namespace watchlab::sim {

namespace {

class GarbleEvent : public EventFault {
 private:
  Verdict on_event(const Passage& /*passage*/, const watch::Event& /*event*/) override {
    return Rewrite{{undecodable_event("the bytes are no JSON")}, "no JSON at all"};
  }
};

}  // namespace

FaultEntry garble_event() {
  return {
      .name = "garble_event",
      .numbers = {33},
      .doc = "Bytes that are no JSON come in place of an event; the client reads a decoding error.",
      .legality = Legality::Illegal,
      .parameters = {},
      .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
        return std::make_unique<GarbleEvent>();
      }};
}

}  // namespace watchlab::sim
