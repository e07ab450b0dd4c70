#pragma once

#include <memory>

#include "core/runtime/runtime.hpp"

namespace watchlab::exercise {

/// Counts, from any task.
class Counter {
 public:
  Counter() = default;
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;
  virtual ~Counter() = default;

  virtual void add() = 0;
  [[nodiscard]] virtual int value() const = 0;
};

[[nodiscard]] std::unique_ptr<Counter> make_counter(runtime::Runtime& runtime);

}  // namespace watchlab::exercise
