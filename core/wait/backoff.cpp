#include "core/wait/backoff.hpp"

namespace watchlab::wait {
namespace {

/// Half a nanosecond more or less would make schedules differ between compilers, so the product is
/// truncated, as a conversion of a Go float to a duration is.
runtime::Duration scaled(runtime::Duration delay, double factor) {
  return runtime::Duration(
      static_cast<runtime::Duration::rep>(static_cast<double>(delay.count()) * factor));
}

}  // namespace

runtime::Duration jitter(runtime::Random& random, runtime::Duration delay, double factor) {
  const double reach = factor > 0.0 ? factor : 1.0;
  return delay + scaled(delay, random.fraction() * reach);
}

runtime::Duration Backoff::step(runtime::Random& random) {
  const runtime::Duration handed_out = duration;
  if (steps >= 1) {
    --steps;
    if (factor != 0.0) {
      duration = scaled(duration, factor);
    }
    if (cap > runtime::Duration::zero() && duration > cap) {
      duration = cap;
      steps = 0;
    }
  }
  return jitter > 0.0 ? wait::jitter(random, handed_out, jitter) : handed_out;
}

}  // namespace watchlab::wait
