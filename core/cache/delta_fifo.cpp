#include "core/cache/delta_fifo.hpp"

#include <utility>

namespace watchlab::cache {

namespace {

/// Mirrors client-go isDup. Deletions are the only deltas that are merged: each addition and update
/// can be news to a consumer that compares states.
bool are_both_deletions(const Delta& older, const Delta& newer) {
  return older.type == DeltaType::Deleted && newer.type == DeltaType::Deleted;
}

/// The last state of an object that is known now, for a tombstone. A tombstone never wraps another.
api::ObjectPtr last_known_state(const Deltas& deltas) {
  const Delta* last = newest(deltas);
  return last != nullptr ? object_of(last->object) : nullptr;
}

}  // namespace

DeltaFIFO::DeltaFIFO(runtime::Runtime& runtime, DeltaFIFOOptions options)
    : runtime_(runtime),
      options_(std::move(options)),
      mutex_(runtime, options_.name),
      changed_(runtime, options_.name),
      state_(runtime, State{}, options_.name) {}

api::Result<std::string> DeltaFIFO::key_of(const Item& item) const {
  return queue_key_of(options_.key_function, item);
}

api::Result<std::string> DeltaFIFO::key_of(const Deltas& deltas) const {
  const Delta* last = newest(deltas);
  if (last == nullptr) {
    return api::Error{.kind = api::ErrorKind::Key, .message = "no key for an empty list of deltas"};
  }
  return key_of(last->object);
}

/// Mirrors client-go Add. A change that comes before the first list makes the queue populated with
/// nothing to wait for, so it counts as synced; a Replace that follows does not take that back.
api::Result<void> DeltaFIFO::add(const Item& item) {
  const runtime::Lock lock(mutex_);
  State& state = state_.write();
  state.populated = true;
  return enqueue(state, DeltaType::Added, item, Origin::Server);
}

api::Result<void> DeltaFIFO::update(const Item& item) {
  const runtime::Lock lock(mutex_);
  State& state = state_.write();
  state.populated = true;
  return enqueue(state, DeltaType::Updated, item, Origin::Server);
}

/// Mirrors client-go Delete. A key that neither the store nor the queue has is dropped: no consumer
/// could miss it. A key that is only queued needs its deletion, or its addition would be stored
/// after the object is gone.
api::Result<void> DeltaFIFO::remove(const Item& item) {
  const api::Result<std::string> key = key_of(item);
  if (!key) {
    return key.error();
  }
  const runtime::Lock lock(mutex_);
  State& state = state_.write();
  state.populated = true;
  const bool known =
      options_.known_objects != nullptr && options_.known_objects->get_by_key(*key) != nullptr;
  if (!known && !state.items.contains(*key)) {
    return {};
  }
  return enqueue(state, DeltaType::Deleted, item, Origin::Server);
}

/// Mirrors client-go Replace, which has three parts: the listed objects, tombstones for what is
/// known and not listed, and, the first time, how many pops make up the initial list. All under one
/// lock, so that no consumer sees half a list. A key that fails ends it in the middle, as in the
/// original: what was queued before stays.
api::Result<void> DeltaFIFO::replace(std::span<const api::ObjectPtr> items,
                                     const std::string& /*resource_version*/) {
  const runtime::Lock lock(mutex_);
  State& state = state_.write();
  const DeltaType type = options_.emit_replaced ? DeltaType::Replaced : DeltaType::Sync;
  std::unordered_set<std::string> listed;
  for (const api::ObjectPtr& item : items) {
    api::Result<std::string> key = key_of(item);
    if (!key) {
      return key.error();
    }
    listed.insert(std::move(key).value());
    if (const api::Result<void> queued = enqueue(state, type, item, Origin::Server); !queued) {
      return could_not_enqueue(queued.error());
    }
  }
  const std::size_t missing = enqueue_missing(state, listed);
  if (!state.populated) {
    state.populated = true;
    // Keys, not items: a list may name an object twice, and it is popped once.
    state.initial_population = listed.size() + missing;
  }
  return {};
}

/// The second part of client-go Replace: what is not listed was deleted unseen, so its final state
/// is unknown. The original walks a map of what is queued: here the order is a choice.
std::size_t DeltaFIFO::enqueue_missing(State& state,
                                       const std::unordered_set<std::string>& listed) {
  std::size_t missing = 0;
  const auto enqueue_tombstone = [&](const std::string& key, api::ObjectPtr object) {
    const auto tombstone = std::make_shared<const DeletedFinalStateUnknown>(
        DeletedFinalStateUnknown{.key = key, .object = std::move(object)});
    append(state, key, {.type = DeltaType::Deleted, .object = tombstone});
    ++missing;
  };
  // What is only queued counts as much as what is known: its consumer would keep it.
  std::vector<std::string> queued(state.queue.begin(), state.queue.end());
  for (const std::string& key : in_visiting_order(runtime_, std::move(queued), "queued_keys")) {
    if (!listed.contains(key)) {
      enqueue_tombstone(key, last_known_state(state.items.at(key)));
    }
  }
  if (options_.known_objects != nullptr) {
    for (const std::string& key : options_.known_objects->list_keys()) {
      if (!listed.contains(key) && !state.items.contains(key)) {
        enqueue_tombstone(key, options_.known_objects->get_by_key(key));
      }
    }
  }
  return missing;
}

/// Mirrors client-go Resync and syncKeyLocked. A key with deltas in the queue is left out: its
/// consumer is about to get a newer state than the store has, and a Sync behind that would bring
/// back the old one. The store has a lock of its own and can change meanwhile, so a key may be gone
/// when its object is read.
api::Result<void> DeltaFIFO::resync() {
  const runtime::Lock lock(mutex_);
  if (options_.known_objects == nullptr) {
    return {};
  }
  State& state = state_.write();
  for (const std::string& known_key : options_.known_objects->list_keys()) {
    const api::ObjectPtr object = options_.known_objects->get_by_key(known_key);
    if (object == nullptr) {
      continue;
    }
    const api::Result<std::string> key = key_of(object);
    if (!key) {
      return key.error();
    }
    if (state.items.contains(*key)) {
      continue;
    }
    if (const auto queued = enqueue(state, DeltaType::Sync, object, Origin::Store); !queued) {
      return could_not_enqueue(queued.error());
    }
  }
  return {};
}

/// What comes from the store went through the transformer when it came in, and a tombstone holds
/// such a state, too: twice would be wrong for a transformer that is not idempotent.
api::Result<Item> DeltaFIFO::transformed(const Item& item, Origin origin) const {
  if (!options_.transformer || origin == Origin::Store || is_tombstone(item)) {
    return item;
  }
  const api::Result<api::ObjectPtr> object = options_.transformer(std::get<api::ObjectPtr>(item));
  if (!object) {
    return object.error();
  }
  return Item(*object);
}

api::Result<void> DeltaFIFO::enqueue(State& state, DeltaType type, const Item& item,
                                     Origin origin) {
  const api::Result<std::string> key = key_of(item);
  if (!key) {
    return key.error();
  }
  if (!options_.transformer) {
    append(state, *key, {.type = type, .object = item});
    return {};
  }
  api::Result<Item> object = transformed(item, origin);
  if (!object) {
    return object.error();
  }
  append(state, *key, {.type = type, .object = std::move(object).value()});
  return {};
}

/// Mirrors client-go queueActionInternalLocked and dedupDeltas. Comparing the last two deltas is
/// enough because it is done each time.
void DeltaFIFO::append(State& state, const std::string& key, Delta delta) {
  const auto [item, is_new] = state.items.try_emplace(key);
  if (is_new) {
    state.queue.push_back(key);
  }
  Deltas& deltas = item->second;
  if (!deltas.empty() && are_both_deletions(deltas.back(), delta)) {
    // The one that saw the final state wins; between two that did, the one that came first.
    if (is_tombstone(deltas.back().object)) {
      deltas.back() = std::move(delta);
    }
    runtime_.note({"dedup", key, to_string(DeltaType::Deleted)});
  } else {
    runtime_.note({"delta", key, to_string(delta.type)});
    deltas.push_back(std::move(delta));
  }
  changed_.notify_all();
  changed(state);
}

/// Mirrors client-go Pop. `process` runs under the lock, so that taking an item out and storing it
/// are one step for other callers; a `process` that calls the queue waits for itself. Whether it is
/// of the initial list is asked before it is counted. The item is out of the queue by then: when
/// `process` fails it is gone, unless it asks to have it back.
Popped DeltaFIFO::pop(const PopProcess& process) {
  runtime::Lock lock(mutex_);
  while (state_.read().queue.empty()) {
    if (state_.read().closed) {
      return {.item = {}, .outcome = fifo_closed()};
    }
    changed_.wait(lock);
  }
  State& state = state_.write();
  const bool is_in_initial_list = !is_synced(state);
  if (state.initial_population > 0) {
    --state.initial_population;
  }
  const std::string key = std::move(state.queue.front());
  state.queue.pop_front();
  const auto found = state.items.find(key);
  Popped popped{.item = std::move(found->second), .outcome = {}};
  state.items.erase(found);
  runtime_.note({"pop", key, types_of(std::get<Deltas>(popped.item))});
  changed(state);

  const SlowPopTrace trace{runtime_, options_.name, key, state.queue.size()};
  const Processed processed = process(popped.item, is_in_initial_list);
  trace.finish();
  if (processed.requeue()) {
    put_back(state, key, std::get<Deltas>(popped.item));
  }
  popped.outcome = processed.outcome();
  return popped;
}

/// Mirrors client-go AddIfNotPresent. The key is that of the newest delta: all deltas of an item
/// have the same one.
api::Result<void> DeltaFIFO::add_if_not_present(const PopItem& item) {
  const auto* deltas = std::get_if<Deltas>(&item);
  if (deltas == nullptr) {
    return api::Error{.message = "this queue takes deltas, not an object"};
  }
  const api::Result<std::string> key = key_of(*deltas);
  if (!key) {
    return key.error();
  }
  const runtime::Lock lock(mutex_);
  put_back(state_.write(), *key, *deltas);
  return {};
}

/// Mirrors client-go addIfNotPresent: deltas that have come meanwhile stay, and the old ones, which
/// would be wrong behind them, are dropped.
void DeltaFIFO::put_back(State& state, const std::string& key, const Deltas& deltas) {
  state.populated = true;
  const bool is_new = state.items.try_emplace(key, deltas).second;
  if (is_new) {
    state.queue.push_back(key);
    runtime_.note({"requeue", key, types_of(deltas)});
    changed_.notify_all();
  }
  changed(state);
}

bool DeltaFIFO::has_synced() const {
  const runtime::Lock lock(mutex_);
  return is_synced(state_.read());
}

/// Mirrors client-go hasSynced_locked. Without `populated` a queue that no list has reached yet
/// would count as synced, because it waits for nothing either.
bool DeltaFIFO::is_synced(const State& state) {
  return state.populated && state.initial_population == 0;
}

/// Mirrors client-go Close. Under the lock, or a consumer that has just looked at the flag and not
/// begun to wait would sleep through the only notification.
void DeltaFIFO::close() {
  const runtime::Lock lock(mutex_);
  state_.write().closed = true;
  changed_.notify_all();
}

std::vector<Item> DeltaFIFO::list() const {
  const runtime::Lock lock(mutex_);
  const State& state = state_.read();
  std::vector<Item> items;
  items.reserve(state.queue.size());
  for (const std::string& key : state.queue) {
    items.push_back(newest(state.items.at(key))->object);
  }
  return in_visiting_order(runtime_, std::move(items), "list");
}

std::vector<std::string> DeltaFIFO::list_keys() const {
  const runtime::Lock lock(mutex_);
  const std::deque<std::string>& queue = state_.read().queue;
  return {queue.begin(), queue.end()};
}

api::Result<Deltas> DeltaFIFO::get(const Item& item) const {
  const api::Result<std::string> key = key_of(item);
  if (!key) {
    return key.error();
  }
  return get_by_key(*key);
}

Deltas DeltaFIFO::get_by_key(const std::string& key) const {
  const runtime::Lock lock(mutex_);
  const State& state = state_.read();
  const auto found = state.items.find(key);
  return found != state.items.end() ? found->second : Deltas{};
}

void DeltaFIFO::changed(const State& state) const {
  if (options_.metrics) {
    options_.metrics->depth_is(state.queue.size());
  }
  check_queue_and_items(state);
}

void DeltaFIFO::check_queue_and_items(const State& state) const {
  if (!runtime_.checks()) {
    return;
  }
  runtime::ensure(state.queue.size() == state.items.size(),
                  "the queue holds each key with deltas exactly once");
  constexpr std::size_t kWalkMax = 256;  // longer queues are checked by their size only
  if (state.queue.size() > kWalkMax) {
    return;
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& key : state.queue) {
    const auto found = state.items.find(key);
    runtime::ensure(seen.insert(key).second, "no key is queued twice");
    runtime::ensure(found != state.items.end() && !found->second.empty(),
                    "every queued key has deltas");
  }
}

}  // namespace watchlab::cache
