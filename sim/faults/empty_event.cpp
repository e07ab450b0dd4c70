#include "sim/faults/empty_event.hpp"

#include "sim/faults/event_fault.hpp"

namespace watchlab::sim {

namespace {

class EmptyEvent : public EventFault {
 private:
  Verdict on_event(const Passage& /*passage*/, const watch::Event& event) override {
    return is_change(event) ? Verdict(Rewrite{{{event.type, nullptr, nullptr}}}) : Verdict(Pass{});
  }
};

}  // namespace

FaultEntry empty_event() {
  return {.name = "empty_event",
          .numbers = {37},
          .doc = "An event comes without an object.",
          .legality = Legality::Illegal,
          .parameters = {},
          .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
            return std::make_unique<EmptyEvent>();
          }};
}

}  // namespace watchlab::sim
