#include "core/workqueue/queue.hpp"

#include <algorithm>
#include <utility>

#include "core/runtime/ensure.hpp"

namespace watchlab::workqueue {

using runtime::Lock;

Queue::Queue(runtime::Runtime& runtime, QueueOptions options)
    : runtime_(runtime),
      metrics_(options.metrics ? std::move(options.metrics) : std::make_shared<QueueMetrics>()),
      mutex_(runtime, options.name),
      key_waits_or_shut_down_(runtime, options.name + ".key_waits_or_shut_down"),
      drained_or_given_up_(runtime, options.name + ".drained_or_given_up"),
      state_(runtime, State(), options.name) {}

/// Mirrors client-go Add. A key that a worker has is only marked dirty: `done` makes it wait again,
/// so no two workers ever have the same key.
void Queue::add(const std::string& key) {
  const Lock lock(mutex_);
  State& state = state_.write();
  if (state.shutting_down || !state.dirty.insert(key).second) {
    return;
  }
  state.added_at.emplace(key, runtime_.now());
  metrics_->key_added(state.dirty.size());
  if (!state.processing.contains(key)) {
    state.waiting.push_back(key);
    key_waits_or_shut_down_.notify_one();
  }
  check_state();
}

std::size_t Queue::size() const {
  const Lock lock(mutex_);
  return state_.read().waiting.size();
}

std::optional<std::string> Queue::get() {
  Lock lock(mutex_);
  while (state_.read().waiting.empty() && !state_.read().shutting_down) {
    key_waits_or_shut_down_.wait(lock);
  }
  State& state = state_.write();
  if (state.waiting.empty()) {
    return std::nullopt;
  }
  std::string key = std::move(state.waiting.front());
  state.waiting.pop_front();
  state.dirty.erase(key);
  state.processing.insert(key);
  const runtime::TimePoint now = runtime_.now();
  metrics_->key_taken(state.dirty.size(), now - state.added_at.extract(key).mapped());
  state.taken_at.emplace(key, now);
  check_state();
  return key;
}

/// Mirrors client-go Done. A key that was added meanwhile waits again, or its last change would be
/// lost.
void Queue::done(const std::string& key) {
  const Lock lock(mutex_);
  State& state = state_.write();
  if (state.processing.erase(key) == 0) {
    return;
  }
  metrics_->key_done(runtime_.now() - state.taken_at.extract(key).mapped());
  if (state.dirty.contains(key)) {
    state.waiting.push_back(key);
    key_waits_or_shut_down_.notify_one();
  }
  if (state.processing.empty()) {
    drained_or_given_up_.notify_all();
  }
  check_state();
}

void Queue::shut_down() {
  const Lock lock(mutex_);
  State& state = state_.write();
  state.draining = false;
  state.shutting_down = true;
  key_waits_or_shut_down_.notify_all();
  drained_or_given_up_.notify_all();
}

/// Mirrors client-go ShutDownWithDrain. `shut_down` of another task clears the flag and ends this
/// wait.
void Queue::shut_down_with_drain() {
  Lock lock(mutex_);
  State& state = state_.write();
  state.draining = true;
  state.shutting_down = true;
  key_waits_or_shut_down_.notify_all();
  while (!state_.read().processing.empty() && state_.read().draining) {
    drained_or_given_up_.wait(lock);
  }
}

bool Queue::shutting_down() const {
  const Lock lock(mutex_);
  return state_.read().shutting_down;
}

void Queue::check_state() const {
  if (!runtime_.checks()) {
    return;
  }
  const State& state = state_.read();
  const std::unordered_set<std::string> waiting(state.waiting.begin(), state.waiting.end());
  runtime::ensure(waiting.size() == state.waiting.size(), "a key waits twice");
  const auto is_dirty = [&](const std::string& key) { return state.dirty.contains(key); };
  const auto is_taken = [&](const std::string& key) { return state.processing.contains(key); };
  runtime::ensure(std::ranges::all_of(waiting, is_dirty), "a key waits that is not dirty");
  runtime::ensure(std::ranges::none_of(waiting, is_taken), "a key waits that a worker has");
  const auto waits_or_is_taken = [&](const std::string& key) {
    return waiting.contains(key) || is_taken(key);
  };
  runtime::ensure(std::ranges::all_of(state.dirty, waits_or_is_taken), "a dirty key is lost");
}

}  // namespace watchlab::workqueue
