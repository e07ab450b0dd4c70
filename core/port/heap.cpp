#include "core/port/heap.hpp"

#include <utility>

#include "core/cache/store.hpp"

namespace watchlab::cache {
namespace {

api::Error heap_closed() {
  return {.kind = api::ErrorKind::Closed, .message = "the heap is closed"};
}

}  // namespace

Heap::Heap(runtime::Runtime& runtime, KeyFunction key_function, LessFunction less)
    : runtime_(runtime),
      key_function_(std::move(key_function)),
      mutex_(runtime, "heap"),
      changed_(runtime, "heap"),
      state_(runtime, State{.entries = Entries(ComesBefore{std::move(less)}), .places = {}},
             "heap") {}

/// An object that is there already is taken out first: it may belong somewhere else now.
void Heap::put(State& state, const std::string& key, const api::ObjectPtr& object) {
  const auto known = state.places.find(key);
  if (known != state.places.end()) {
    state.entries.erase(known->second);
  }
  state.places[key] = state.entries.insert({.key = key, .object = object});
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
  state.entries.erase(found->second);
  state.places.erase(found);
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
  State& state = state_.write();
  const Entry first = std::move(state.entries.extract(state.entries.begin()).value());
  state.places.erase(first.key);
  return first.object;
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
  return found != state.places.end() ? found->second->object : nullptr;
}

}  // namespace watchlab::cache
