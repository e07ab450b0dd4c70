#include "sim/faults/tear_event.hpp"

#include "sim/faults/event_fault.hpp"

namespace watchlab::sim {

namespace {

class TearEvent : public EventFault {
 public:
  explicit TearEvent(const FaultParameters& parameters) : clean_(parameters.boolean("clean")) {}

 private:
  Verdict on_event(const Passage& /*passage*/, const watch::Event& /*event*/) override {
    return EndStream{.clean = clean_, .torn = true};
  }

  bool clean_;
};

}  // namespace

FaultEntry tear_event() {
  return {.name = "tear_event",
          .numbers = {7, 8},
          .doc = "The stream ends in the middle of an event: the half event is lost with it.",
          .parameters = {{"clean", ParameterKind::Boolean, false,
                          "Whether the rest of the response is in order."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            return std::make_unique<TearEvent>(given);
          }};
}

}  // namespace watchlab::sim
