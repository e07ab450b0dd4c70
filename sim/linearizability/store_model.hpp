#pragma once

#include "sim/linearizability/model.hpp"

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
  [[nodiscard]] bool only_reads(const Request& asked) const override;
  [[nodiscard]] bool splits_by_key() const override { return true; }
};

}  // namespace watchlab::sim::linearizability
