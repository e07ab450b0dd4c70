#include "sim/faults/unknown_event_type.hpp"

#include "core/watch/event_json.hpp"
#include "sim/faults/event_fault.hpp"

namespace watchlab::sim {

namespace {

class UnknownEventType : public EventFault {
 private:
  Verdict on_event(const Passage& /*passage*/, const watch::Event& event) override {
    const std::string text = watch::to_json(event);
    return Rewrite{{undecodable_event("got invalid watch event type: WHAT")},
                   R"({"type":"WHAT")" + text.substr(text.find(','))};
  }
};

}  // namespace

FaultEntry unknown_event_type() {
  return {.name = "unknown_event_type",
          .numbers = {34},
          .doc = "An event has a type that clients do not know; they read a decoding error.",
          .legality = Legality::Illegal,
          .parameters = {},
          .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
            return std::make_unique<UnknownEventType>();
          }};
}

}  // namespace watchlab::sim
