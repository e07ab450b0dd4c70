#pragma once

#include <barrier>
#include <cstddef>
#include <optional>
#include <utility>

#include "sim/std/world_parts.hpp"

namespace watchlab::stdx {

/// What a barrier is in a world, without its completion function.
class BarrierPart {
 public:
  BarrierPart(ptrdiff_t expected, Location made);

  /// Whether this was the last arrival of the phase: then the caller completes it.
  [[nodiscard]] bool arrive(sim::World& world, ptrdiff_t update, bool drops, Location here);
  void complete(sim::World& world, Location here);
  void wait(sim::World& world, uint64_t phase, Location here);
  [[nodiscard]] uint64_t phase() const { return phase_; }

 private:
  GatePart part_;
  ptrdiff_t first_;
  ptrdiff_t expected_;
  ptrdiff_t left_;
  uint64_t phase_ = 0;
};

struct NoCompletion {
  void operator()() const noexcept {}
};

/// As std::barrier. The completion function runs on the last thread that arrives, which is one of
/// those that the standard allows. To arrive more often than expected is a finding.
template <typename Completion>
class barrier {
  using Real = ::std::barrier<Completion>;

 public:
  /// What says for which phase one waits.
  class arrival_token {
   private:
    friend class barrier;
    uint64_t phase = 0;
    optional<typename Real::arrival_token> real;
  };

  explicit barrier(ptrdiff_t expected, Completion completion = Completion(),
                   Location made = Location::current())
      : part_(expected, made), completion_(completion), real_(expected, completion) {}
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  [[nodiscard]] arrival_token arrive(ptrdiff_t update = 1, Location here = Location::current()) {
    arrival_token token;
    if (sim::World* const world = world_here()) {
      token.phase = part_.phase();
      come(*world, update, false, here);
    } else {
      token.real = real_.arrive(update);
    }
    return token;
  }
  void wait(arrival_token&& token, Location here = Location::current()) {
    if (sim::World* const world = world_here()) {
      part_.wait(*world, token.phase, here);
    } else {
      real_.wait(::std::move(*token.real));
    }
  }
  void arrive_and_wait(Location here = Location::current()) { wait(arrive(1, here), here); }
  void arrive_and_drop(Location here = Location::current()) {
    if (sim::World* const world = world_here()) {
      come(*world, 1, true, here);
    } else {
      real_.arrive_and_drop();
    }
  }

 private:
  void come(sim::World& world, ptrdiff_t update, bool drops, Location here) {
    if (part_.arrive(world, update, drops, here)) {
      completion_();
      part_.complete(world, here);
    }
  }

  BarrierPart part_;
  Completion completion_;
  Real real_;
};

}  // namespace watchlab::stdx
