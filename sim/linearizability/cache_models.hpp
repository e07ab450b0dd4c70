#pragma once

#include "sim/linearizability/model.hpp"

/// What the store and the queues of `core/cache` promise.
namespace watchlab::sim::linearizability {

/// What `cache::Store` promises, with versions for objects. Methods: `add KEY VERSION`, `update KEY
/// VERSION` and `remove KEY` -> "ok"; `get KEY` -> the version or "none"; `replace "" "a=1; b=2"`
/// -> "ok"; `list` -> "a=1; b=2", sorted; `list_keys` -> "a; b", sorted. A history without the last
/// three is checked key by key.
class StoreModel final : public Model {
 public:
  [[nodiscard]] std::string_view name() const override { return "store"; }
  [[nodiscard]] std::vector<Outcome> outcomes(const std::string& state,
                                              const Request& asked) const override;
  [[nodiscard]] bool splits_by_key() const override { return true; }
};

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
};

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
};

}  // namespace watchlab::sim::linearizability
