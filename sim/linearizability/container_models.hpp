#pragma once

#include <cstddef>
#include <limits>

#include "sim/linearizability/model.hpp"

/// What places, sets and queues of plain values promise.
namespace watchlab::sim::linearizability {

/// Places that hold a value each, named by keys, "" at first. Methods: `write KEY VALUE` -> "ok",
/// `read KEY` -> the value, `swap KEY VALUE` -> the value before.
class RegisterModel final : public Model {
 public:
  [[nodiscard]] std::string_view name() const override { return "register"; }
  [[nodiscard]] std::vector<Outcome> outcomes(const std::string& state,
                                              const Request& asked) const override;
  [[nodiscard]] bool splits_by_key() const override { return true; }
};

/// Keys that are in or out. Methods: `insert KEY` and `remove KEY` -> "true" when that changes
/// something, else "false"; `has KEY` -> "true" or "false"; `size` -> a number.
class SetModel final : public Model {
 public:
  [[nodiscard]] std::string_view name() const override { return "set"; }
  [[nodiscard]] std::vector<Outcome> outcomes(const std::string& state,
                                              const Request& asked) const override;
  [[nodiscard]] bool splits_by_key() const override { return true; }
};

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

 private:
  std::size_t capacity_;
};

}  // namespace watchlab::sim::linearizability
