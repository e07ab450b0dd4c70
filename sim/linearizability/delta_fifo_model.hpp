#pragma once

#include "sim/linearizability/model.hpp"

namespace watchlab::sim::linearizability {

/// What `cache::DeltaFIFO` promises without known objects, with versions for objects. Methods: `add
/// KEY VERSION`, `update KEY VERSION`, `remove KEY VERSION` and `close` -> "ok"; `replace "" "a=1;
/// b=2"` -> "ok"; `pop` -> "KEY: Added 1 + Updated 2" with all deltas of the first key, waits while
/// there is none, "closed" once nothing is queued in a closed queue; `get KEY` -> the deltas, or
/// "none"; `list_keys` -> "b; a", in their order. A tombstone reads "Deleted gone(1)".
class DeltaFifoModel final : public Model {
 public:
  [[nodiscard]] std::string_view name() const override { return "delta fifo"; }
  [[nodiscard]] std::vector<Outcome> outcomes(const std::string& state,
                                              const Request& asked) const override;
  [[nodiscard]] bool only_reads(const Request& asked) const override {
    return asked.method == "get" || asked.method == "list_keys";
  }
};

}  // namespace watchlab::sim::linearizability
