#pragma once

#include <string_view>
#include <utility>

#include "core/runtime/runtime.hpp"

namespace watchlab::runtime {

/// Plain data that several tasks use under some lock. Reading and writing it is never a scheduling
/// point; the race checker of a simulated world reports two accesses, one of them a write, that no
/// happens-before edge orders.
template <typename T>
class Shared {
 public:
  Shared(Runtime& runtime, T value, std::string_view name = "shared",
         Location here = Location::current())
      : backend_(runtime.make_cell(name, here)), value_(std::move(value)) {}

  [[nodiscard]] const T& read(Location here = Location::current()) const {
    backend_->plain_access(AccessKind::Read, here);
    return value_;
  }
  /// The data, to be changed in place. Counts as a write.
  [[nodiscard]] T& write(Location here = Location::current()) {
    backend_->plain_access(AccessKind::Write, here);
    return value_;
  }

 private:
  Owned<CellBackend> backend_;
  T value_;
};

}  // namespace watchlab::runtime
