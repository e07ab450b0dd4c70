#include "sim/faults/drop_event.hpp"

#include "sim/faults/event_fault.hpp"

namespace watchlab::sim {

namespace {

class DropEvent : public EventFault {
 private:
  Verdict on_event(const Passage& /*passage*/, const watch::Event& event) override {
    return is_change(event) ? Verdict(Lose{}) : Verdict(Pass{});
  }
};

}  // namespace

FaultEntry drop_event() {
  return {.name = "drop_event",
          .numbers = {42},
          .doc = "An event is lost and the stream goes on: nothing tells the client.",
          .legality = Legality::Illegal,
          .parameters = {},
          .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
            return std::make_unique<DropEvent>();
          }};
}

}  // namespace watchlab::sim
