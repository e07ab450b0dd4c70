#include "core/wait/backoff_manager.hpp"

#include <limits>

namespace watchlab::wait {

runtime::Timer& BackoffManager::backoff() {
  last_delay_ = next();
  // The timer is made at the first use: one made earlier would already be running by then.
  if (timer_) {
    timer_->reset(last_delay_);
  } else {
    timer_.emplace(runtime_, last_delay_);
  }
  return *timer_;
}

ExponentialBackoffManager::ExponentialBackoffManager(runtime::Runtime& runtime,
                                                     ExponentialBackoffOptions options)
    : BackoffManager(runtime),
      options_(options),
      random_(runtime, "backoff"),
      growth_{.duration = options.initial,
              .factor = options.factor,
              .jitter = options.jitter,
              .steps = std::numeric_limits<int>::max(),
              .cap = options.cap},
      previous_call_(runtime.now()) {}

runtime::Duration ExponentialBackoffManager::next() {
  const runtime::TimePoint now = runtime().now();
  if (now - previous_call_ > options_.reset_after) {
    growth_.steps = std::numeric_limits<int>::max();
    growth_.duration = options_.initial;
  }
  previous_call_ = now;
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
