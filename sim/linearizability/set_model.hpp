#pragma once

#include "sim/linearizability/model.hpp"

namespace watchlab::sim::linearizability {

/// Keys that are in or out. Methods: `insert KEY` and `remove KEY` -> "true" when that changes
/// something, else "false"; `has KEY` -> "true" or "false"; `size` -> a number.
class SetModel final : public Model {
 public:
  [[nodiscard]] std::string_view name() const override { return "set"; }
  [[nodiscard]] std::vector<Outcome> outcomes(const std::string& state,
                                              const Request& asked) const override;
  [[nodiscard]] bool only_reads(const Request& asked) const override {
    return asked.method == "has" || asked.method == "size";
  }
  [[nodiscard]] bool splits_by_key() const override { return true; }
};

}  // namespace watchlab::sim::linearizability
