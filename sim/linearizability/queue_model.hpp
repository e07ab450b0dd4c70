#pragma once

#include <cstddef>
#include <limits>

#include "sim/linearizability/model.hpp"

namespace watchlab::sim::linearizability {

/// Values in their order. Methods: `push "" VALUE` -> "ok", waits while the queue is full; `pop` ->
/// the first value, waits while there is none; `try_push "" VALUE` -> "ok" or "full"; `try_pop` ->
/// the first value or "empty"; `size` -> a number.
class QueueModel final : public Model {
 public:
  explicit QueueModel(std::size_t capacity = std::numeric_limits<std::size_t>::max())
      : capacity_(capacity) {}

  [[nodiscard]] std::string_view name() const override { return "queue"; }
  [[nodiscard]] std::vector<Outcome> outcomes(const std::string& state,
                                              const Request& asked) const override;
  [[nodiscard]] bool only_reads(const Request& asked) const override {
    return asked.method == "size";
  }

 private:
  std::size_t capacity_;
};

}  // namespace watchlab::sim::linearizability
