#pragma once

#include <string_view>
#include <utility>

#include "core/runtime/runtime.hpp"

namespace watchlab::runtime {

/// Plain data that several tasks use under some lock. Reading and writing it is never a scheduling
/// point. A simulated world ends with a failure of kind "data race" if two accesses by different
/// tasks, at least one of them a write, have no happens-before edge between them; construction is a
/// write. The edges are those of Go's memory model: locks, conditions, channels, timers, wait
/// groups, atomics, and the start and join of tasks. On threads it costs nothing and checks
/// nothing; use ThreadSanitizer there.
///
/// An access is the call of `read` or `write`: do not keep the reference after you release the
/// lock.
template <typename T>
class Shared {
 public:
  Shared(Runtime& runtime, T value, std::string_view name = "shared",
         Location here = Location::current())
      : backend_(runtime.make_cell(name, here)), value_(std::move(value)) {
    backend_->plain_access(AccessKind::Write, here);
  }

  [[nodiscard]] const T& read(Location here = Location::current()) const {
    backend_->plain_access(AccessKind::Read, here);
    return value_;
  }
  /// The data, for changing it in place. Counts as a write.
  [[nodiscard]] T& write(Location here = Location::current()) {
    backend_->plain_access(AccessKind::Write, here);
    return value_;
  }

 private:
  Owned<CellBackend> backend_;
  T value_;
};

}  // namespace watchlab::runtime
