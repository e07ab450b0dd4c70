#include "sim/faults/stale_delete.hpp"

#include <map>
#include <utility>

#include "sim/faults/event_fault.hpp"

namespace watchlab::sim {

namespace {

class StaleDelete : public EventFault {
 private:
  Verdict on_event(const Passage& passage, const watch::Event& event) override {
    if (!is_change(event)) {
      return Pass{};
    }
    const std::string& revision = event.object->metadata.resource_version;
    const auto known =
        last_.emplace(std::pair(passage.exchange, api::key_of(event.object->metadata)), "1").first;
    if (event.type != watch::EventType::Deleted) {
      known->second = revision;
      return Pass{};
    }
    return Rewrite{{with_revision(event, known->second)}};
  }

  // The last revision that a stream has shown of an object.
  std::map<std::pair<std::uint64_t, std::string>, std::string> last_;
};

}  // namespace

FaultEntry stale_delete() {
  return {.name = "stale_delete",
          .numbers = {44},
          .doc = "DELETED events carry an old revision instead of that of the deletion.",
          .legality = Legality::Illegal,
          .parameters = {},
          .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
            return std::make_unique<StaleDelete>();
          }};
}

}  // namespace watchlab::sim
