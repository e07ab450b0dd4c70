#include "sim/faults/replay_event.hpp"

#include <map>
#include <utility>

#include "sim/faults/event_fault.hpp"

namespace watchlab::sim {

namespace {

class ReplayEvent : public EventFault {
 private:
  Verdict on_event(const Passage& passage, const watch::Event& event) override {
    if (!is_change(event)) {
      return Pass{};
    }
    watch::Event& last = last_[passage.exchange];
    const watch::Event before = std::exchange(last, event);
    return before.object == nullptr ? Verdict(Pass{}) : Verdict(Rewrite{{event, before}});
  }

  std::map<std::uint64_t, watch::Event> last_;  // by stream
};

}  // namespace

FaultEntry replay_event() {
  return {.name = "replay_event",
          .numbers = {41},
          .doc =
              "The event before comes once more, after a newer one: an older state follows a newer "
              "one.",
          .legality = Legality::Illegal,
          .parameters = {},
          .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
            return std::make_unique<ReplayEvent>();
          }};
}

}  // namespace watchlab::sim
