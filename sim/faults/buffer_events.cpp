#include "sim/faults/buffer_events.hpp"

#include <stdexcept>

#include "sim/faults/event_fault.hpp"

namespace watchlab::sim {

namespace {

class BufferEvents : public EventFault {
 public:
  explicit BufferEvents(const FaultParameters& parameters) : every_(parameters.duration("every")) {
    if (every_ <= runtime::Duration::zero()) {
      throw std::invalid_argument("the time between two bursts must be positive");
    }
  }

 private:
  Verdict on_event(const Passage& passage, const watch::Event& /*event*/) override {
    return Delay{every_ - (passage.left - passage.opened) % every_};
  }

  runtime::Duration every_;
};

}  // namespace

FaultEntry buffer_events() {
  return {.name = "buffer_events",
          .numbers = {17},
          .doc = "A proxy holds events back and passes them on in bursts.",
          .parameters = {{"every", ParameterKind::Duration, std::nullopt,
                          "The time between two bursts."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            return std::make_unique<BufferEvents>(given);
          }};
}

}  // namespace watchlab::sim
