#pragma once

#include <atomic>
#include <string_view>

#include "core/runtime/runtime.hpp"

namespace watchlab::runtime {

/// A sequentially consistent atomic. Each operation is visible: other tasks can run between a
/// `load` and a following `store`, and some schedule will let them. It orders what tasks did before
/// and after it, like Go's atomics. Any task may call any function.
template <typename T>
class Atomic {
 public:
  Atomic(Runtime& runtime, T value, std::string_view name = "atomic",
         Location here = Location::current())
      : backend_(runtime.make_cell(name, here)), value_(value) {}

  [[nodiscard]] T load(Location here = Location::current()) const {
    backend_->atomic_access(AccessKind::Read, here);
    return value_.load();
  }
  void store(T value, Location here = Location::current()) {
    backend_->atomic_access(AccessKind::Write, here);
    value_.store(value);
  }
  /// Returns the previous value.
  T exchange(T value, Location here = Location::current()) {
    backend_->begin_update(value_.load() != value, here);
    const T before = value_.exchange(value);
    backend_->end_update(before != value);
    return before;
  }
  /// Returns the value before the addition.
  T fetch_add(T delta, Location here = Location::current()) {
    backend_->atomic_access(AccessKind::ReadWrite, here);
    return value_.fetch_add(delta);
  }
  /// On failure `expected` holds the value found.
  bool compare_exchange(T& expected, T desired, Location here = Location::current()) {
    backend_->begin_update(value_.load() == expected, here);
    const bool done = value_.compare_exchange_strong(expected, desired);
    backend_->end_update(done);
    return done;
  }

 private:
  Owned<CellBackend> backend_;
  std::atomic<T> value_;
};

}  // namespace watchlab::runtime
