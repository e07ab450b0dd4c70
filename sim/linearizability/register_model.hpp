#pragma once

#include "sim/linearizability/model.hpp"

namespace watchlab::sim::linearizability {

/// Places that hold a value each, named by keys, "" at first. Methods: `write KEY VALUE` -> "ok",
/// `read KEY` -> the value, `swap KEY VALUE` -> the value before.
class RegisterModel final : public Model {
 public:
  [[nodiscard]] std::string_view name() const override { return "register"; }
  [[nodiscard]] std::vector<Outcome> outcomes(const std::string& state,
                                              const Request& asked) const override;
  [[nodiscard]] bool only_reads(const Request& asked) const override {
    return asked.method == "read";
  }
  [[nodiscard]] bool splits_by_key() const override { return true; }
};

}  // namespace watchlab::sim::linearizability
