#include "core/wait/backoff.hpp"

#include <limits>

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
      if (cap > runtime::Duration::zero() && duration > cap) {
        duration = cap;
        steps = 0;
      }
    }
  }
  return jitter > 0.0 ? wait::jitter(random, handed_out, jitter) : handed_out;
}

namespace {

Backoff growth_of(const ExponentialBackoffOptions& options) {
  const bool grows = !options.since_start || options.reset_after > runtime::Duration::zero();
  return {.duration = options.initial,
          .factor = options.factor,
          .jitter = options.jitter,
          .steps = grows ? std::numeric_limits<int>::max() : 0,
          .cap = options.cap};
}

}  // namespace

runtime::Timer& BackoffManager::backoff() {
  last_delay_ = next();
  // The timer is made at the first use: one made earlier would already be running by then.
  if (timer_) {
    timer_->reset(last_delay_);
  } else {
    timer_.emplace(runtime_, last_delay_, runtime::Location::current());
  }
  return *timer_;
}

ExponentialBackoffManager::ExponentialBackoffManager(runtime::Runtime& runtime,
                                                     ExponentialBackoffOptions options)
    : BackoffManager(runtime),
      options_(options),
      random_(runtime, "backoff"),
      growth_(growth_of(options)),
      since_(runtime.now()) {}

runtime::Duration ExponentialBackoffManager::next() {
  const runtime::TimePoint now = runtime().now();
  const bool starts_again = now - since_ > options_.reset_after;
  if (starts_again) {
    growth_ = growth_of(options_);
  }
  if (starts_again || !options_.since_start) {
    since_ = now;
  }
  return growth_.step(random_);
}

JitteredBackoffManager::JitteredBackoffManager(runtime::Runtime& runtime, runtime::Duration period,
                                               double jitter)
    : BackoffManager(runtime), period_(period), jitter_(jitter) {
  if (jitter_ > 0.0) {
    random_.emplace(runtime, "jitter");
  }
}

runtime::Duration JitteredBackoffManager::next() {
  return random_ ? wait::jitter(*random_, period_, jitter_) : period_;
}

}  // namespace watchlab::wait
