#pragma once

#include "sim/linearizability/model.hpp"

namespace watchlab::sim::linearizability {

/// What `cache::FIFO` promises, with versions for objects. Methods: `add KEY VERSION`, `update KEY
/// VERSION`, `remove KEY` and `close` -> "ok"; `pop` -> "KEY=VERSION" in the order in which keys
/// came, waits while there is none, "closed" once nothing is queued in a closed queue; `get KEY` ->
/// the version or "none"; `list_keys` -> "a; b", sorted.
///
/// A removed key keeps its place, which a pop steps over; a pop may do that and then wait. So where
/// all places are of removed keys, they may be gone by the time of the next call, or not: two
/// outcomes.
class FifoModel final : public Model {
 public:
  [[nodiscard]] std::string_view name() const override { return "fifo"; }
  [[nodiscard]] std::vector<Outcome> outcomes(const std::string& state,
                                              const Request& asked) const override;
  [[nodiscard]] bool only_reads(const Request& asked) const override {
    return asked.method == "get" || asked.method == "list_keys";
  }
};

}  // namespace watchlab::sim::linearizability
