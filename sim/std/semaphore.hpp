#pragma once

#include <chrono>
#include <cstddef>
#include <semaphore>

#include "sim/std/chrono.hpp"
#include "sim/std/world_parts.hpp"

namespace watchlab::stdx {

/// What a semaphore is in a world, whatever its largest value.
class SemaphorePart {
 public:
  SemaphorePart(ptrdiff_t first, ptrdiff_t most, Location made);

  void release(sim::World& world, ptrdiff_t update, Location here);
  [[nodiscard]] bool try_acquire(sim::World& world, Location here);
  bool acquire(sim::World& world, optional<runtime::TimePoint> deadline, Location here);

 private:
  GatePart part_;
  ptrdiff_t first_;
  ptrdiff_t most_;
  ptrdiff_t count_;
};

/// As std::counting_semaphore. To release more than `kMost` is a finding. In each run of a world it
/// begins with what it was made with.
template <ptrdiff_t kMost>
class counting_semaphore {
 public:
  explicit counting_semaphore(ptrdiff_t first, Location made = Location::current())
      : part_(first, kMost, made), real_(first) {}
  counting_semaphore(const counting_semaphore&) = delete;
  counting_semaphore& operator=(const counting_semaphore&) = delete;

  static constexpr ptrdiff_t max() noexcept { return kMost; }

  void release(ptrdiff_t update = 1, Location here = Location::current()) {
    if (sim::World* const world = world_here()) {
      part_.release(*world, update, here);
    } else {
      real_.release(update);
    }
  }
  void acquire(Location here = Location::current()) {
    if (sim::World* const world = world_here()) {
      part_.acquire(*world, nullopt, here);
    } else {
      real_.acquire();
    }
  }
  bool try_acquire(Location here = Location::current()) {
    sim::World* const world = world_here();
    return world != nullptr ? part_.try_acquire(*world, here) : real_.try_acquire();
  }
  template <typename Rep, typename Period>
  bool try_acquire_for(const chrono::duration<Rep, Period>& delay,
                       Location here = Location::current()) {
    sim::World* const world = world_here();
    return world != nullptr ? part_.acquire(*world, moment_after(*world, delay), here)
                            : real_.try_acquire_for(delay);
  }
  template <typename Clock, typename Span>
  bool try_acquire_until(const chrono::time_point<Clock, Span>& moment,
                         Location here = Location::current()) {
    sim::World* const world = world_here();
    return world != nullptr ? part_.acquire(*world, moment_of(*world, moment), here)
                            : real_.try_acquire_for(moment - Clock::now());
  }

 private:
  SemaphorePart part_;
  ::std::counting_semaphore<kMost> real_;
};

}  // namespace watchlab::stdx
