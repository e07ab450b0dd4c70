#pragma once

#include <cstddef>
#include <latch>

#include "sim/std/world_parts.hpp"

namespace watchlab::stdx {

/// As std::latch. To count below zero is a finding.
class latch {
 public:
  explicit latch(ptrdiff_t expected, Location made = Location::current());
  latch(const latch&) = delete;
  latch& operator=(const latch&) = delete;

  static constexpr ptrdiff_t max() noexcept { return ::std::latch::max(); }

  void count_down(ptrdiff_t update = 1, Location here = Location::current());
  [[nodiscard]] bool try_wait(Location here = Location::current()) const;
  void wait(Location here = Location::current()) const;
  void arrive_and_wait(ptrdiff_t update = 1, Location here = Location::current()) {
    count_down(update, here);
    wait(here);
  }

 private:
  mutable GatePart part_;
  ptrdiff_t expected_;
  ptrdiff_t left_;
  ::std::latch real_;
};

}  // namespace watchlab::stdx
