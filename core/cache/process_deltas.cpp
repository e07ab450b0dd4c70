#include <fmt/format.h>

#include <deque>
#include <utility>

#include "core/cache/informer.hpp"

namespace watchlab::cache {
namespace {

using Outcome = api::Result<void>;

api::Result<void> process_upsert(ResourceEventHandler& handler, Store& store,
                                 const api::ObjectPtr& object, bool is_in_initial_list) {
  const Item item(object);
  const api::Result<api::ObjectPtr> known = store.get(item);
  if (known && *known) {
    if (api::Result<void> updated = store.update(item); !updated) {
      return updated;
    }
    handler.on_update(*known, object);
    return {};
  }
  if (api::Result<void> added = store.add(item); !added) {
    return added;
  }
  handler.on_add(object, is_in_initial_list);
  return {};
}

/// Mirrors the case SyncAll of client-go 0.36 processDeltas: what the store has is repeated, and
/// not written.
void process_sync_all(const DeltaConsumer& consumer) {
  for (const api::ObjectPtr& object : consumer.store.list()) {
    consumer.handler.on_update(object, object);
  }
}

/// Mirrors client-go 0.36 processReplacedAllInfo.
Outcome process_replaced_all(const DeltaConsumer& consumer, const ReplacedAllInfo& info,
                             bool is_in_initial_list) {
  const std::deque<Delta> nothing_queued;
  const api::Result<std::vector<TombstonePtr>> tombstones =
      tombstones_of(consumer.runtime, {.items = info.objects,
                                       .queued = nothing_queued,
                                       .known = consumer.store,
                                       .key_function = consumer.key_function});
  if (!tombstones) {
    return tombstones.error();
  }
  // Looked up before the store changes: of two objects with one key both are new, or none is.
  std::vector<api::ObjectPtr> before;
  before.reserve(info.objects.size());
  for (const api::ObjectPtr& object : info.objects) {
    const api::Result<api::ObjectPtr> known = consumer.store.get(object);
    before.push_back(known ? *known : nullptr);
  }
  if (Outcome replaced = consumer.store.replace(info.objects, info.resource_version); !replaced) {
    return replaced;
  }
  for (const TombstonePtr& tombstone : *tombstones) {
    consumer.handler.on_delete(tombstone);
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] != nullptr) {
      consumer.handler.on_update(before[i], info.objects[i]);
    } else {
      consumer.handler.on_add(info.objects[i], is_in_initial_list);
    }
  }
  return {};
}

/// Of a delta about no single object.
Outcome process_info(const DeltaConsumer& consumer, const DeltaInfo& info,
                     bool is_in_initial_list) {
  if (const auto* all = std::get_if<ReplacedAllInfo>(&info)) {
    return process_replaced_all(consumer, *all, is_in_initial_list);
  }
  if (const auto* bookmark = std::get_if<BookmarkInfo>(&info)) {
    consumer.store.bookmark(bookmark->resource_version);
  } else {
    process_sync_all(consumer);
  }
  return {};
}

/// Each delta by itself, all of them whatever fails.
Outcome process_one_by_one(const DeltaConsumer& consumer, const Deltas& batch,
                           bool is_in_initial_list) {
  std::string failures;
  for (const Delta& delta : batch) {
    if (const Outcome done = process_deltas(consumer, {delta}, is_in_initial_list); !done) {
      failures += (failures.empty() ? "" : "; ") + done.error().message;
    }
  }
  return failures.empty() ? Outcome() : api::Error{.message = failures};
}

/// A delta of a batch, with what the store had before it.
struct Noted {
  Transaction change;
  api::ObjectPtr before;  ///< null for an addition
};

void notify(ResourceEventHandler& handler, const Noted& noted, bool is_in_initial_list) {
  switch (noted.change.type) {
    case Transaction::Type::Delete:
      handler.on_delete(noted.change.item);
      return;
    case Transaction::Type::Update:
      handler.on_update(noted.before, object_of(noted.change.item));
      return;
    case Transaction::Type::Add:
      handler.on_add(object_of(noted.change.item), is_in_initial_list);
      return;
  }
}

Noted noted_of(const Store& store, const Delta& delta) {
  if (delta.type == DeltaType::Deleted) {
    return {.change = {.type = Transaction::Type::Delete, .item = delta.object}, .before = nullptr};
  }
  const api::Result<api::ObjectPtr> known = store.get(delta.object);
  api::ObjectPtr before = known ? *known : nullptr;
  return {.change = {.type = before ? Transaction::Type::Update : Transaction::Type::Add,
                     .item = delta.object},
          .before = std::move(before)};
}

}  // namespace

api::Result<void> process_deltas(const DeltaConsumer& consumer, const Deltas& deltas,
                                 bool is_in_initial_list) {
  ResourceEventHandler& handler = consumer.handler;
  Store& store = consumer.store;
  for (const Delta& delta : deltas) {
    if (delta.info != nullptr) {
      if (Outcome done = process_info(consumer, *delta.info, is_in_initial_list); !done) {
        return done;
      }
      continue;
    }
    if (delta.type != DeltaType::Deleted) {
      if (api::Result<void> done =
              process_upsert(handler, store, object_of(delta.object), is_in_initial_list);
          !done) {
        return done;
      }
      continue;
    }
    if (api::Result<void> removed = store.remove(delta.object); !removed) {
      return removed;
    }
    handler.on_delete(delta.object);
  }
  return {};
}

api::Result<void> process_deltas_in_batch(const DeltaConsumer& consumer, const Deltas& batch,
                                          bool is_in_initial_list) {
  auto* const store = dynamic_cast<TransactionStore*>(&consumer.store);
  if (store == nullptr) {
    return process_one_by_one(consumer, batch, is_in_initial_list);
  }
  std::vector<Noted> noted;
  std::vector<Transaction> changes;
  for (const Delta& delta : batch) {
    if (delta.info != nullptr) {
      return api::Error{.message = fmt::format("{} belongs to no batch", to_string(delta.type))};
    }
    noted.push_back(noted_of(consumer.store, delta));
    changes.push_back(noted.back().change);
  }
  const std::optional<TransactionError> failed = store->transaction(changes);
  if (!failed) {
    for (const Noted& each : noted) {
      notify(consumer.handler, each, is_in_initial_list);
    }
    return {};
  }
  for (const std::size_t place : failed->successful) {
    notify(consumer.handler, noted[place], is_in_initial_list);
  }
  return api::Error{.message =
                        fmt::format("{} of {} changes failed, the first: {}", failed->errors.size(),
                                    failed->total, failed->errors.front().message)};
}

}  // namespace watchlab::cache
