#include "sim/faults/repeat_revision.hpp"

#include <map>
#include <utility>

#include "sim/faults/event_fault.hpp"

namespace watchlab::sim {

namespace {

class RepeatRevision : public EventFault {
 private:
  Verdict on_event(const Passage& passage, const watch::Event& event) override {
    if (event.object == nullptr) {
      return Pass{};
    }
    std::string& last = last_[passage.exchange];
    const std::string before = std::exchange(last, event.object->metadata.resource_version);
    return before.empty() ? Verdict(Pass{}) : Verdict(Rewrite{{with_revision(event, before)}});
  }

  std::map<std::uint64_t, std::string> last_;  // by stream
};

}  // namespace

FaultEntry repeat_revision() {
  return {.name = "repeat_revision",
          .numbers = {40},
          .doc = "An event carries the same revision as the event before it on its stream.",
          .legality = Legality::Illegal,
          .parameters = {},
          .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
            return std::make_unique<RepeatRevision>();
          }};
}

}  // namespace watchlab::sim
