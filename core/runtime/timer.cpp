#include "core/runtime/timer.hpp"

#include "core/runtime/ensure.hpp"

namespace watchlab::runtime {

Ticker::Ticker(Runtime& runtime, Duration period, Location here)
    : channel_(runtime, 1, "ticker", here) {
  if (period <= Duration::zero()) {
    throw Panic("a ticker needs a positive period");
  }
  backend_ = runtime.make_timer(channel_.backend(), period, period, here);
}

}  // namespace watchlab::runtime
