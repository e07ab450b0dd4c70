// Breaks: the order of keys (by name, in rounds); workers look for delayed keys, no task does.
#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/14-work-queue/subject.hpp"

namespace watchlab::exercise {
namespace {

using runtime::Duration;
using runtime::Lock;
using runtime::TimePoint;

/// Each key has one place. Keys are given out round by round; what comes during a round waits for
/// the next one.
class RoundsQueue final : public WorkQueue {
 public:
  explicit RoundsQueue(runtime::Runtime& runtime)
      : runtime_(runtime),
        mutex_(runtime),
        changed_(runtime),
        finished_(runtime),
        state_(runtime, {}) {}

  void add(const std::string& key) override {
    const Lock lock(mutex_);
    put(key);
  }
  void add_after(const std::string& key, Duration delay) override {
    const Lock lock(mutex_);
    put_later(key, delay);
  }
  [[nodiscard]] std::optional<std::string> get() override {
    Lock lock(mutex_);
    while (!bring_what_is_due()) {
      if (state_.read().is_shut) {
        return std::nullopt;
      }
      wait(lock);
    }
    State& state = state_.write();
    if (state.round.empty()) {
      state.round.swap(state.next);
    }
    std::string key = std::move(state.round.extract(state.round.begin()).value());
    state.places[key] = Place::Taken;
    return key;
  }
  void done(const std::string& key) override {
    const Lock lock(mutex_);
    State& state = state_.write();
    const auto place = state.places.find(key);
    if (place == state.places.end() || place->second == Place::Waits) {
      return;
    }
    if (place->second == Place::TakenAndAdded) {
      place->second = Place::Waits;
      state.next.insert(key);
      changed_.notify_one();
    } else {
      state.places.erase(place);
    }
    finished_.notify_all();
  }

  void retry(const std::string& key) override {
    const Lock lock(mutex_);
    const std::int64_t before = state_.write().failures[key]++;
    put_later(key, std::chrono::seconds(before < 6 ? 1 << before : 60));
  }
  void forget(const std::string& key) override {
    const Lock lock(mutex_);
    state_.write().failures.erase(key);
  }
  [[nodiscard]] std::int64_t failures(const std::string& key) const override {
    const Lock lock(mutex_);
    const auto known = state_.read().failures.find(key);
    return known == state_.read().failures.end() ? 0 : known->second;
  }

  void shut_down() override {
    const Lock lock(mutex_);
    shut();
  }
  void shut_down_with_drain() override {
    Lock lock(mutex_);
    shut();
    while (!state_.read().places.empty()) {
      finished_.wait(lock);
    }
  }
  [[nodiscard]] std::int64_t size() override {
    const Lock lock(mutex_);
    bring_what_is_due();
    return static_cast<std::int64_t>(state_.read().round.size() + state_.read().next.size());
  }

 private:
  enum class Place : std::uint8_t { Waits, Taken, TakenAndAdded };
  struct State {
    std::map<std::string, Place> places;
    std::set<std::string> round;
    std::set<std::string> next;
    std::map<std::string, TimePoint> delays;
    std::map<std::string, std::int64_t> failures;
    bool is_shut = false;
  };

  // The lock must be held for all of these.
  void put(const std::string& key) {
    State& state = state_.write();
    if (state.is_shut) {
      return;
    }
    const auto [place, is_new] = state.places.try_emplace(key, Place::Waits);
    if (is_new) {
      state.next.insert(key);
      changed_.notify_one();
    } else if (place->second == Place::Taken) {
      place->second = Place::TakenAndAdded;
    }
  }
  void put_later(const std::string& key, Duration delay) {
    State& state = state_.write();
    if (state.is_shut) {
      return;
    }
    const TimePoint now = runtime_.now();
    const TimePoint at = now + std::min(delay, TimePoint::max() - now);
    const auto [known, is_new] = state.delays.try_emplace(key, at);
    known->second = std::min(known->second, at);
    changed_.notify_all();  // those who wait must look for how long
  }
  void shut() {
    bring_what_is_due();
    State& state = state_.write();
    state.is_shut = true;
    state.delays.clear();
    changed_.notify_all();
    finished_.notify_all();
  }
  /// Whether a key waits now.
  bool bring_what_is_due() {
    const TimePoint now = runtime_.now();
    State& state = state_.write();
    for (auto each = state.delays.begin(); each != state.delays.end();) {
      if (each->second <= now) {
        put(each->first);
        each = state.delays.erase(each);
      } else {
        ++each;
      }
    }
    return !state.round.empty() || !state.next.empty();
  }
  void wait(Lock& lock) {
    const auto& delays = state_.read().delays;
    const auto first = std::ranges::min_element(
        delays, {},
        [](const std::pair<const std::string, TimePoint>& each) { return each.second; });
    if (first == delays.end()) {
      changed_.wait(lock);
    } else {
      static_cast<void>(changed_.wait_until(lock, first->second));
    }
  }

  runtime::Runtime& runtime_;
  mutable runtime::Mutex mutex_;
  runtime::CondVar changed_;
  runtime::CondVar finished_;
  runtime::Shared<State> state_;
};

}  // namespace

std::unique_ptr<WorkQueue> make_work_queue(runtime::Runtime& runtime) {
  return std::make_unique<RoundsQueue>(runtime);
}

}  // namespace watchlab::exercise
