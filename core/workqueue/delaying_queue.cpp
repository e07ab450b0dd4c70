#include "core/workqueue/delaying_queue.hpp"

#include <cstdint>
#include <map>
#include <utility>

#include "core/runtime/task.hpp"

namespace watchlab::workqueue {

using runtime::Lock;
using runtime::TimePoint;

/// The keys that are delayed and the loop that moves them into the queue when it is time. The queue
/// is touched only under the mutex and before `end`.
class DelayingQueue::Delays {
 public:
  Delays(runtime::Runtime& runtime, Queue& queue, const std::string& name)
      : runtime_(runtime),
        queue_(queue),
        mutex_(runtime, name + ".delays"),
        changed_(runtime, name + ".delays_changed") {}

  void put(const std::string& key, TimePoint at);
  void loop();
  void end();

 private:
  /// The number keeps keys with the same moment in the order of their arrival.
  using Place = std::pair<TimePoint, std::uint64_t>;

  void add_first();

  runtime::Runtime& runtime_;
  Queue& queue_;
  runtime::Mutex mutex_;
  runtime::CondVar changed_;
  std::map<Place, std::string> by_moment_;
  std::map<std::string, Place> by_key_;
  std::uint64_t arrivals_ = 0;
  bool ended_ = false;
};

/// Mirrors client-go insert: a key that is delayed twice keeps the earlier moment.
void DelayingQueue::Delays::put(const std::string& key, TimePoint at) {
  const Lock lock(mutex_);
  const auto known = by_key_.find(key);
  if (known != by_key_.end()) {
    if (known->second.first <= at) {
      return;
    }
    by_moment_.erase(known->second);
  }
  const Place place(at, ++arrivals_);
  by_key_[key] = place;
  by_moment_[place] = key;
  changed_.notify_one();
}

/// Mirrors client-go waitingLoop. It waits for whatever comes first, the next moment or a change: a
/// new key may be due before the one that was waited for.
void DelayingQueue::Delays::loop() {
  Lock lock(mutex_);
  while (!ended_) {
    if (by_moment_.empty()) {
      changed_.wait(lock);
    } else if (const TimePoint next = by_moment_.begin()->first.first; next <= runtime_.now()) {
      add_first();
    } else {
      static_cast<void>(changed_.wait_until(lock, next));
    }
  }
}

void DelayingQueue::Delays::end() {
  const Lock lock(mutex_);
  ended_ = true;
  changed_.notify_one();
}

void DelayingQueue::Delays::add_first() {
  const std::string key = by_moment_.begin()->second;
  by_moment_.erase(by_moment_.begin());
  by_key_.erase(key);
  queue_.add(key);
}

DelayingQueue::DelayingQueue(runtime::Runtime& runtime, QueueOptions options)
    : Queue(runtime, options), delays_(std::make_shared<Delays>(runtime, *this, options.name)) {
  runtime::spawn(runtime, options.name + ".delays", [delays = delays_] { delays->loop(); });
}

DelayingQueue::~DelayingQueue() = default;

void DelayingQueue::add_after(const std::string& key, runtime::Duration delay) {
  if (shutting_down()) {
    return;
  }
  metrics().key_retried();
  if (delay <= runtime::Duration::zero()) {
    add(key);
    return;
  }
  const TimePoint now = runtime().now();
  const runtime::Duration longest = TimePoint::max() - now;
  delays_->put(key, now + (delay < longest ? delay : longest));
}

void DelayingQueue::shut_down() {
  delays_->end();
  Queue::shut_down();
}

void DelayingQueue::shut_down_with_drain() {
  delays_->end();
  Queue::shut_down_with_drain();
}

RateLimitingQueue::RateLimitingQueue(runtime::Runtime& runtime,
                                     std::unique_ptr<RateLimiter> limiter, QueueOptions options)
    : DelayingQueue(runtime, std::move(options)), limiter_(std::move(limiter)) {}

void RateLimitingQueue::add_rate_limited(const std::string& key) {
  const runtime::Duration delay = limiter_->when(key);
  add_after(key, delay);
}

void RateLimitingQueue::forget(const std::string& key) { limiter_->forget(key); }

std::size_t RateLimitingQueue::num_requeues(const std::string& key) const {
  return limiter_->num_requeues(key);
}

}  // namespace watchlab::workqueue
