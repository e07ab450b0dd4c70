#include "core/cache/real_fifo.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "core/runtime/recover.hpp"

namespace watchlab::cache {

namespace {

/// Mirrors the panics of client-go NewRealFIFOWithOptions, in its order.
RealFIFOOptions checked(RealFIFOOptions options) {
  const auto forbid = [](bool fact, const char* what) {
    if (fact) {
      throw runtime::Panic(std::string("coding error: ") + what);
    }
  };
  const bool atomic = options.atomic_events;
  forbid(atomic && options.known_objects != nullptr, "known objects beside atomic events");
  forbid(!atomic && options.unlock_while_processing, "unlocking without atomic events");
  forbid(!atomic && options.known_objects == nullptr, "neither known objects nor atomic events");
  forbid(!atomic && options.emit_delta_type_bookmark, "bookmarks without atomic events");
  return options;
}

}  // namespace

RealFIFO::RealFIFO(runtime::Runtime& runtime, RealFIFOOptions options)
    : runtime_(runtime),
      options_(checked(std::move(options))),
      mutex_(runtime, options_.name),
      changed_(runtime, options_.name),
      state_(runtime, State{}, options_.name) {}

api::Result<std::string> RealFIFO::key_of(const Item& item) const {
  return queue_key_of(options_.key_function, item);
}

api::Result<std::string> RealFIFO::key_of(const Delta& delta) const {
  if (delta.info != nullptr) {
    return api::Error{.kind = api::ErrorKind::Key,
                      .message = std::string(to_string(delta.type)) + " is about no single object"};
  }
  return key_of(delta.object);
}

std::string RealFIFO::text_of_key(const Delta& delta) const {
  const api::Result<std::string> key = key_of(delta);
  return key ? *key : "*";
}

api::Result<void> RealFIFO::add(const Item& item) { return change(DeltaType::Added, item); }

api::Result<void> RealFIFO::update(const Item& item) { return change(DeltaType::Updated, item); }

api::Result<void> RealFIFO::remove(const Item& item) { return change(DeltaType::Deleted, item); }

/// What client-go Add, Update and Delete have in common. A change that comes before the first list
/// makes the queue synced, also when it fails.
api::Result<void> RealFIFO::change(DeltaType type, const Item& item) {
  const runtime::Lock lock(mutex_);
  State& state = state_.write();
  state.populated = true;
  check_synced(state);
  return enqueue(state, type, item, Origin::Server);
}

/// Mirrors client-go addToItems_locked.
api::Result<void> RealFIFO::enqueue(State& state, DeltaType type, const Item& item, Origin origin) {
  if (const api::Result<std::string> key = key_of(item); !key) {
    return key.error();
  }
  Item queued = item;
  if (options_.transformer && origin == Origin::Server && !is_tombstone(item)) {
    api::Result<api::ObjectPtr> object = options_.transformer(std::get<api::ObjectPtr>(item));
    if (!object) {
      return object.error();
    }
    queued = std::move(object).value();
  }
  append(state, {.type = type, .object = std::move(queued)});
  return {};
}

/// What every producer ends with. A bookmark does not report the depth, as in the original.
void RealFIFO::append(State& state, Delta delta) {
  runtime_.note({"delta", text_of_key(delta), to_string(delta.type)});
  state.items.push_back(std::move(delta));
  changed_.notify_all();
  if (state.items.back().type != DeltaType::Bookmark) {
    report_depth(state);
  }
  check_state(state);
}

void RealFIFO::append_info(State& state, DeltaType type, DeltaInfo info) {
  append(state,
         {.type = type, .object = {}, .info = std::make_shared<const DeltaInfo>(std::move(info))});
}

/// Mirrors client-go Replace. The first one decides how many pops make up the initial list: all
/// that is queued then, what came before it included.
api::Result<void> RealFIFO::replace(std::span<const api::ObjectPtr> items,
                                    const std::string& resource_version) {
  const runtime::Lock lock(mutex_);
  State& state = state_.write();
  api::Result<void> queued = options_.atomic_events ? enqueue_all(state, items, resource_version)
                                                    : enqueue_each(state, items);
  if (queued && !state.populated) {
    state.populated = true;
    state.initial_population = state.items.size();
    check_synced(state);
  }
  return queued;
}

api::Result<void> RealFIFO::enqueue_each(State& state, std::span<const api::ObjectPtr> items) {
  const api::Result<std::vector<TombstonePtr>> tombstones =
      tombstones_of(runtime_, {.items = items,
                               .queued = state.items,
                               .known = *options_.known_objects,
                               .key_function = options_.key_function});
  if (!tombstones) {
    return tombstones.error();
  }
  for (const TombstonePtr& tombstone : *tombstones) {
    append(state, {.type = DeltaType::Deleted, .object = tombstone});
  }
  for (const api::ObjectPtr& item : items) {
    if (const auto queued = enqueue(state, DeltaType::Replaced, item, Origin::Server); !queued) {
      return could_not_enqueue(queued.error());
    }
  }
  return {};
}

/// Mirrors client-go addReplaceToItemsLocked. The queue keeps a list of its own: the caller's may
/// change.
api::Result<void> RealFIFO::enqueue_all(State& state, std::span<const api::ObjectPtr> items,
                                        const std::string& resource_version) {
  std::vector<api::ObjectPtr> objects(items.begin(), items.end());
  if (options_.transformer) {
    for (api::ObjectPtr& object : objects) {
      api::Result<api::ObjectPtr> transformed = options_.transformer(object);
      if (!transformed) {
        return transformed.error();
      }
      object = std::move(transformed).value();
    }
  }
  append_info(state, DeltaType::ReplacedAll,
              ReplacedAllInfo{.resource_version = resource_version, .objects = std::move(objects)});
  return {};
}

/// Mirrors client-go Resync. Not atomic: a key with something queued is left out, because its
/// consumer is about to get a newer state than the store has.
api::Result<void> RealFIFO::resync() {
  const runtime::Lock lock(mutex_);
  State& state = state_.write();
  if (options_.atomic_events) {
    append_info(state, DeltaType::SyncAll, SyncAllInfo{});
    return {};
  }
  std::unordered_set<std::string> queued;
  for (const Delta& delta : state.items) {
    api::Result<std::string> key = key_of(delta);
    if (!key) {
      return key.error();
    }
    queued.insert(std::move(key).value());
  }
  for (const std::string& key : options_.known_objects->list_keys()) {
    const api::ObjectPtr object =
        queued.contains(key) ? nullptr : options_.known_objects->get_by_key(key);
    // The store has a lock of its own, so a key may be gone when its object is read.
    if (object == nullptr) {
      continue;
    }
    if (const auto synced = enqueue(state, DeltaType::Sync, object, Origin::Store); !synced) {
      return could_not_enqueue(synced.error());
    }
  }
  return {};
}

/// Mirrors client-go Bookmark, which does not populate the queue.
api::Result<void> RealFIFO::bookmark(const std::string& resource_version) {
  if (!options_.emit_delta_type_bookmark) {
    return {};
  }
  const runtime::Lock lock(mutex_);
  append_info(state_.write(), DeltaType::Bookmark,
              BookmarkInfo{.resource_version = resource_version});
  return {};
}

/// False once the queue is closed and empty.
bool RealFIFO::wait_for_item(runtime::Lock& lock) {
  while (state_.read().items.empty()) {
    if (state_.read().closed) {
      return false;
    }
    changed_.wait(lock);
  }
  return true;
}

Popped RealFIFO::pop(const PopProcess& process) {
  runtime::Lock lock(mutex_);
  if (!wait_for_item(lock)) {
    return {.item = {}, .outcome = fifo_closed()};
  }
  const Taken taken = take(state_.write(), 1);
  Popped popped{.item = taken.deltas, .outcome = {}};
  popped.outcome = process_taken(
      lock, taken, [&] { return process(popped.item, taken.is_in_initial_list).outcome(); });
  return popped;
}

api::Result<void> RealFIFO::pop_batch(const ProcessBatch& batch, const PopProcess& single) {
  runtime::Lock lock(mutex_);
  if (!wait_for_item(lock)) {
    return fifo_closed();
  }
  State& state = state_.write();
  const Taken taken = take(state, batch_length(state));
  return process_taken(lock, taken, [&]() -> api::Result<void> {
    return taken.deltas.size() == 1 ? single(taken.deltas, taken.is_in_initial_list).outcome()
                                    : batch(taken.deltas, taken.is_in_initial_list);
  });
}

/// The loop of client-go PopBatch: how many from the front can be handled together.
std::size_t RealFIFO::batch_length(const State& state) const {
  std::size_t most = std::min(options_.batch_size, state.items.size());
  if (state.initial_population > 0) {
    most = std::min(most, state.initial_population);
  }
  std::unordered_set<std::string> keys;
  for (std::size_t i = 0; i < most; ++i) {
    const Delta& delta = state.items[i];
    if (delta.info != nullptr) {
      return std::max<std::size_t>(i, 1);
    }
    api::Result<std::string> key = key_of(delta);
    if (!key) {
      return i + 1;
    }
    if (!keys.insert(std::move(key).value()).second) {
      return i;
    }
  }
  return most;
}

RealFIFO::Taken RealFIFO::take(State& state, std::size_t count) {
  const auto end = state.items.begin() + static_cast<std::ptrdiff_t>(count);
  Taken taken{
      .deltas = {std::make_move_iterator(state.items.begin()), std::make_move_iterator(end)},
      .is_in_initial_list = !state.synced.is_set()};
  state.items.erase(state.items.begin(), end);
  taken.left = state.items.size();
  if (options_.count_before_processing) {
    count_popped(state, count);
  }
  for (const Delta& delta : taken.deltas) {
    runtime_.note({"pop", text_of_key(delta), to_string(delta.type)});
  }
  report_depth(state);
  return taken;
}

/// Mirrors client-go whileProcessing_locked and the deferred part of Pop and PopBatch, which comes
/// also after a panic. What is counted then is the count of that moment: a first list that was
/// queued while the lock was free lends one of its own to whatever was popped before it.
api::Result<void> RealFIFO::process_taken(runtime::Lock& lock, const Taken& taken,
                                          const std::function<api::Result<void>()>& process) {
  const std::size_t count = taken.deltas.size();
  const std::string key =
      taken.left > SlowPopTrace::kDepthMin ? text_of_key(taken.deltas.front()) : "";
  SlowPopTrace trace(runtime_, options_.name, key, taken.left);
  // With so much queued the producer shall wait.
  const bool unlocks = options_.unlock_while_processing && taken.left < 2 * options_.batch_size;
  api::Result<void> outcome;
  if (unlocks) {
    lock.unlock();
  }
  const runtime::TimePoint started = options_.metrics ? runtime_.now() : runtime::TimePoint();
  runtime::run_then([&] { outcome = process(); },
                    [&] {
                      if (unlocks) {
                        lock.lock();
                      }
                      if (!options_.count_before_processing) {
                        count_popped(state_.write(), count);
                      }
                    });
  if (options_.metrics) {
    options_.metrics->processed(runtime_.now() - started);
  }
  trace.finish(
      std::min<runtime::Duration>(count * SlowPopTrace::kDurationMin, std::chrono::seconds(1)));
  return outcome;
}

void RealFIFO::count_popped(State& state, std::size_t count) const {
  if (state.initial_population == 0) {
    return;
  }
  runtime::ensure(state.initial_population >= count, "a batch ends with the first list");
  state.initial_population -= count;
  check_synced(state);
}

void RealFIFO::check_synced(State& state) {
  if (state.populated && state.initial_population == 0) {
    state.synced.set();
  }
}

bool RealFIFO::has_synced() const {
  const runtime::Lock lock(mutex_);
  return state_.read().synced.is_set();
}

void RealFIFO::close() {
  const runtime::Lock lock(mutex_);
  state_.write().closed = true;
  changed_.notify_all();
}

void RealFIFO::check_state(const State& state) const {
  if (!runtime_.checks()) {
    return;
  }
  runtime::ensure(!state.synced.is_set() || state.populated, "only a populated queue has synced");
  const Delta& last = state.items.back();
  runtime::ensure((last.type >= DeltaType::ReplacedAll) == (last.info != nullptr),
                  "what is about no single object has an info, and nothing else");
  runtime::ensure(options_.atomic_events || last.info == nullptr,
                  "only atomic events are about no single object");
}

}  // namespace watchlab::cache
