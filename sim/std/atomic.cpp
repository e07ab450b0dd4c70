#include "sim/std/atomic.hpp"

#include "sim/std/chrono.hpp"

namespace watchlab::stdx {

// ThreadSanitizer of GCC does not know fences and says so; Clang's does.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtsan"
#endif

void atomic_thread_fence(memory_order order, Location here) {
  if (sim::World* const world = world_here()) {
    fence(*world, order, here);
  } else {
    ::std::atomic_thread_fence(order);
  }
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

chrono::steady_clock::time_point chrono::steady_clock::now() noexcept {
  if (sim::World* const world = world_here()) {
    return time_point(stdx::now(*world).time_since_epoch());
  }
  return time_point(::std::chrono::steady_clock::now().time_since_epoch());
}

chrono::system_clock::time_point chrono::system_clock::now() noexcept {
  if (sim::World* const world = world_here()) {
    return time_point(stdx::now(*world).time_since_epoch());
  }
  return time_point(::std::chrono::system_clock::now().time_since_epoch());
}

}  // namespace watchlab::stdx
