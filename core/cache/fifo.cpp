#include "core/cache/fifo.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/runtime/recover.hpp"

namespace watchlab::cache {

FIFO::FIFO(runtime::Runtime& runtime, KeyFunction key_function, FIFOOptions options)
    : runtime_(runtime),
      key_function_(std::move(key_function)),
      options_(options),
      mutex_(runtime, "FIFO"),
      changed_(runtime, "FIFO"),
      state_(runtime, State{}, "FIFO") {}

api::Result<void> FIFO::add(const Item& item) { return put(item, "add"); }

api::Result<void> FIFO::update(const Item& item) { return put(item, "update"); }

/// Mirrors client-go Add, which Update is too. An object that waits already keeps its place and
/// gets the newer state: a consumer of this queue sees states, not history.
api::Result<void> FIFO::put(const Item& item, std::string_view verb) {
  const api::Result<std::string> key = key_for_object(key_function_, item);
  if (!key) {
    return key.error();
  }
  const runtime::Lock lock(mutex_);
  State& state = state_.write();
  state.populated = true;
  const auto [place, is_new] = state.items.try_emplace(*key);
  if (is_new) {
    state.queue.push_back(*key);
  }
  place->second = std::get<api::ObjectPtr>(item);
  runtime_.note({"queue", *key, verb});
  state.is_counting = false;
  changed_.notify_all();
  check_items_are_queued(state);
  return {};
}

api::Result<void> FIFO::remove(const Item& item) {
  const api::Result<std::string> key = key_for(key_function_, item);
  if (!key) {
    return key.error();
  }
  const runtime::Lock lock(mutex_);
  State& state = state_.write();
  state.populated = true;
  // The key stays queued: finding it there would cost a walk, and pop skips it anyway.
  state.items.erase(*key);
  runtime_.note({"queue", *key, "remove"});
  state.is_counting = false;
  return {};
}

/// Mirrors client-go Replace. The keys are computed before the lock is taken, so a list with a bad
/// item changes nothing. Only the first list counts for `has_synced`: the count is not made again.
api::Result<void> FIFO::replace(std::span<const api::ObjectPtr> items,
                                const std::string& /*resource_version*/) {
  Objects objects;
  std::vector<std::string> keys;
  for (const api::ObjectPtr& item : items) {
    api::Result<std::string> key = key_for_object(key_function_, item);
    if (!key) {
      return key.error();
    }
    if (objects.insert_or_assign(*key, item).second) {
      keys.push_back(std::move(key).value());
    }
  }
  const runtime::Lock lock(mutex_);
  State& state = state_.write();
  if (!state.populated) {
    state.populated = true;
    state.initial_population = objects.size();
  }
  state.items = std::move(objects);
  state.queue.clear();
  for (std::string& key : in_visiting_order(runtime_, std::move(keys), "replace")) {
    runtime_.note({"queue", key, "replace"});
    state.queue.push_back(std::move(key));
  }
  if (!state.queue.empty()) {
    changed_.notify_all();
  }
  check_items_are_queued(state);
  return {};
}

/// Mirrors client-go Resync. Every object has its key in the queue already, so this finds nothing
/// unless that is broken; the original has it for the interface and does the same walk.
api::Result<void> FIFO::resync() {
  const runtime::Lock lock(mutex_);
  State& state = state_.write();
  const std::unordered_set<std::string_view> queued(state.queue.begin(), state.queue.end());
  for (std::string& key : in_visiting_order(runtime_, keys_of(state), "resync")) {
    if (!queued.contains(key)) {
      state.queue.push_back(std::move(key));
    }
  }
  if (!state.queue.empty()) {
    changed_.notify_all();
  }
  return {};
}

/// Mirrors client-go Pop. A key without an object was removed while it waited: it is passed over,
/// but it counts as one of the first list, or that list would never be through. Since 0.36 that
/// shows when this call returns, which may wait for another key first (live in 0.37).
Popped FIFO::pop(const PopProcess& process) {
  runtime::Lock lock(mutex_);
  bool counts = false;
  while (true) {
    while (state_.read().queue.empty()) {
      if (state_.read().closed) {
        if (counts) {
          state_.write().is_counting = false;
        }
        return {.item = {}, .outcome = fifo_closed()};
      }
      changed_.wait(lock);
    }
    State& state = state_.write();
    counts = counts || state.initial_population > 0;
    state.is_counting =
        state.is_counting || (!options_.count_before_processing && !is_synced(state));
    const bool is_in_initial_list = !is_synced(state);
    const std::string key = std::move(state.queue.front());
    state.queue.pop_front();
    if (state.initial_population > 0) {
      --state.initial_population;
    }
    const auto found = state.items.find(key);
    if (found == state.items.end()) {
      continue;  // it was removed while it waited
    }
    const api::ObjectPtr object = std::move(found->second);
    state.items.erase(found);
    runtime_.note({"pop", key, ""});
    Popped popped{.item = object};
    Processed processed;
    runtime::run_then([&] { processed = process(popped.item, is_in_initial_list); },
                      [&] { state.is_counting = state.is_counting && !counts; });
    if (processed.requeue()) {
      put_back(state, key, object);
    }
    popped.outcome = processed.outcome();
    return popped;
  }
}

api::Result<void> FIFO::add_if_not_present(const PopItem& item) {
  const auto* object = std::get_if<api::ObjectPtr>(&item);
  if (object == nullptr) {
    return api::Error{.message = "this queue takes objects, not deltas"};
  }
  const api::Result<std::string> key = key_for(key_function_, *object);
  if (!key) {
    return key.error();
  }
  const runtime::Lock lock(mutex_);
  put_back(state_.write(), *key, *object);
  return {};
}

/// Mirrors client-go addIfNotPresent: a newer state that has come meanwhile stays.
void FIFO::put_back(State& state, const std::string& key, const api::ObjectPtr& object) {
  state.populated = true;
  if (state.items.try_emplace(key, object).second) {
    state.queue.push_back(key);
    runtime_.note({"requeue", key, ""});
    changed_.notify_all();
  }
  check_items_are_queued(state);
}

bool FIFO::has_synced() const {
  const runtime::Lock lock(mutex_);
  return is_synced(state_.read());
}

bool FIFO::is_synced(const State& state) {
  return state.populated && state.initial_population == 0 && !state.is_counting;
}

void FIFO::close() {
  const runtime::Lock lock(mutex_);
  state_.write().closed = true;
  changed_.notify_all();
}

bool FIFO::is_closed() const {
  const runtime::Lock lock(mutex_);
  return state_.read().closed;
}

std::vector<std::string> FIFO::keys_of(const State& state) {
  std::vector<std::string> keys;
  keys.reserve(state.items.size());
  for (const auto& [key, object] : state.items) {
    keys.push_back(key);
  }
  std::ranges::sort(keys);
  return keys;
}

std::vector<api::ObjectPtr> FIFO::list() const {
  const runtime::Lock lock(mutex_);
  const State& state = state_.read();
  std::vector<api::ObjectPtr> objects;
  for (const std::string& key : in_visiting_order(runtime_, keys_of(state), "list")) {
    objects.push_back(state.items.at(key));
  }
  return objects;
}

std::vector<std::string> FIFO::list_keys() const {
  const runtime::Lock lock(mutex_);
  return in_visiting_order(runtime_, keys_of(state_.read()), "list_keys");
}

api::Result<api::ObjectPtr> FIFO::get(const Item& item) const {
  const api::Result<std::string> key = key_for(key_function_, item);
  if (!key) {
    return key.error();
  }
  return get_by_key(*key);
}

api::ObjectPtr FIFO::get_by_key(const std::string& key) const {
  const runtime::Lock lock(mutex_);
  const State& state = state_.read();
  const auto found = state.items.find(key);
  return found != state.items.end() ? found->second : nullptr;
}

void FIFO::check_items_are_queued(const State& state) const {
  constexpr std::size_t kWalkMax = 256;
  if (!runtime_.checks() || state.queue.size() > kWalkMax) {
    return;
  }
  const std::unordered_set<std::string_view> queued(state.queue.begin(), state.queue.end());
  for (const auto& [key, object] : state.items) {
    runtime::ensure(queued.contains(key), "every object that can be popped is queued");
  }
}

}  // namespace watchlab::cache
