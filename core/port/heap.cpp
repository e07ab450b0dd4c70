#include "core/port/heap.hpp"

#include <utility>

#include "core/cache/visiting_order.hpp"

namespace watchlab::cache {
namespace {

api::Error heap_closed() {
  return {.kind = api::ErrorKind::Closed, .message = "the heap is closed"};
}

std::size_t parent_of(std::size_t place) { return (place - 1) / 2; }

std::size_t first_child_of(std::size_t place) { return 2 * place + 1; }

}  // namespace

Heap::Heap(runtime::Runtime& runtime, KeyFunction key_function, LessFunction less)
    : runtime_(runtime),
      key_function_(std::move(key_function)),
      less_(std::move(less)),
      mutex_(runtime, "heap"),
      changed_(runtime, "heap"),
      state_(runtime, State{}, "heap") {}

bool Heap::comes_before(const State& state, std::size_t a, std::size_t b) const {
  return less_(state.entries[a].object, state.entries[b].object);
}

void Heap::swap_places(State& state, std::size_t a, std::size_t b) const {
  std::swap(state.entries[a], state.entries[b]);
  state.places[state.entries[a].key] = a;
  state.places[state.entries[b].key] = b;
}

/// Mirrors container/heap, Fix: up as long as it comes before its parent, then down as long as a
/// child comes before it. One of the two does nothing.
void Heap::settle(State& state, std::size_t place) const {
  while (place > 0 && comes_before(state, place, parent_of(place))) {
    swap_places(state, place, parent_of(place));
    place = parent_of(place);
  }
  for (;;) {
    std::size_t first = place;
    for (std::size_t child = first_child_of(place);
         child < state.entries.size() && child <= first_child_of(place) + 1; ++child) {
      first = comes_before(state, child, first) ? child : first;
    }
    if (first == place) {
      return;
    }
    swap_places(state, place, first);
    place = first;
  }
}

void Heap::put(State& state, const std::string& key, const api::ObjectPtr& object) {
  const auto [place, is_new] = state.places.try_emplace(key, state.entries.size());
  if (is_new) {
    state.entries.push_back({.key = key, .object = object});
  } else {
    state.entries[place->second].object = object;
  }
  settle(state, place->second);
  check_order(state);
}

/// The last entry takes the free place; it may belong above or below it, because it comes from
/// another branch.
Heap::Entry Heap::take_out(State& state, std::size_t place) {
  swap_places(state, place, state.entries.size() - 1);
  Entry entry = std::move(state.entries.back());
  state.entries.pop_back();
  state.places.erase(entry.key);
  if (place < state.entries.size()) {
    settle(state, place);
  }
  check_order(state);
  return entry;
}

api::Result<void> Heap::add(const api::ObjectPtr& object) { return bulk_add({&object, 1}); }

api::Result<void> Heap::bulk_add(std::span<const api::ObjectPtr> objects) {
  const runtime::Lock lock(mutex_);
  State& state = state_.write();
  if (state.closed) {
    return heap_closed();
  }
  for (const api::ObjectPtr& object : objects) {
    const api::Result<std::string> key = key_for(key_function_, object);
    if (!key) {
      return key.error();
    }
    put(state, *key, object);
  }
  changed_.notify_all();
  return {};
}

api::Result<void> Heap::add_if_not_present(const api::ObjectPtr& object) {
  const api::Result<std::string> key = key_for(key_function_, object);
  if (!key) {
    return key.error();
  }
  const runtime::Lock lock(mutex_);
  State& state = state_.write();
  if (state.closed) {
    return heap_closed();
  }
  if (!state.places.contains(*key)) {
    put(state, *key, object);
  }
  changed_.notify_all();
  return {};
}

api::Result<void> Heap::remove(const api::ObjectPtr& object) {
  const api::Result<std::string> key = key_for(key_function_, object);
  if (!key) {
    return key.error();
  }
  const runtime::Lock lock(mutex_);
  State& state = state_.write();
  const auto found = state.places.find(*key);
  if (found == state.places.end()) {
    return api::Error{.message = "object not found: " + *key};
  }
  (void)take_out(state, found->second);
  return {};
}

api::Result<api::ObjectPtr> Heap::pop() {
  runtime::Lock lock(mutex_);
  while (state_.read().entries.empty()) {
    if (state_.read().closed) {
      return heap_closed();
    }
    changed_.wait(lock);
  }
  return take_out(state_.write(), 0).object;
}

void Heap::close() {
  const runtime::Lock lock(mutex_);
  state_.write().closed = true;
  changed_.notify_all();
}

bool Heap::is_closed() const {
  const runtime::Lock lock(mutex_);
  return state_.read().closed;
}

std::vector<api::ObjectPtr> Heap::list() const {
  std::vector<api::ObjectPtr> objects;
  {
    const runtime::Lock lock(mutex_);
    for (const Entry& entry : state_.read().entries) {
      objects.push_back(entry.object);
    }
  }
  return in_visiting_order(runtime_, std::move(objects), "list");
}

std::vector<std::string> Heap::list_keys() const {
  std::vector<std::string> keys;
  {
    const runtime::Lock lock(mutex_);
    for (const Entry& entry : state_.read().entries) {
      keys.push_back(entry.key);
    }
  }
  return in_visiting_order(runtime_, std::move(keys), "list_keys");
}

api::Result<api::ObjectPtr> Heap::get(const api::ObjectPtr& object) const {
  const api::Result<std::string> key = key_for(key_function_, object);
  if (!key) {
    return key.error();
  }
  return get_by_key(*key);
}

api::ObjectPtr Heap::get_by_key(const std::string& key) const {
  const runtime::Lock lock(mutex_);
  const State& state = state_.read();
  const auto found = state.places.find(key);
  return found != state.places.end() ? state.entries[found->second].object : nullptr;
}

void Heap::check_order(const State& state) const {
  constexpr std::size_t kWalkMax = 256;
  if (!runtime_.checks() || state.entries.size() > kWalkMax) {
    return;
  }
  runtime::ensure(state.places.size() == state.entries.size(), "each key stands in the heap once");
  for (std::size_t place = 1; place < state.entries.size(); ++place) {
    runtime::ensure(!comes_before(state, place, parent_of(place)),
                    "nothing in a heap comes before its parent");
  }
}

}  // namespace watchlab::cache
