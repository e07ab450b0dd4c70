#include "core/cache/informer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/cache/cache.hpp"
#include "core/cache/delta_fifo.hpp"
#include "core/cache/real_fifo.hpp"
#include "core/wait/loop.hpp"

namespace watchlab::cache {

bool wait_for_cache_sync(runtime::Runtime& runtime, const runtime::StopToken& stop,
                         const std::vector<InformerSynced>& caches) {
  return wait::poll_immediate_until(runtime, std::chrono::milliseconds(100), stop, [&caches] {
    return std::all_of(caches.begin(), caches.end(),
                       [](const InformerSynced& has_synced) { return has_synced(); });
  });
}

bool wait_for_named_cache_sync(runtime::Runtime& runtime, std::string_view name,
                               const runtime::StopToken& stop,
                               const std::vector<InformerSynced>& caches) {
  using runtime::LogLevel;
  runtime.log(LogLevel::Info, fmt::format("waiting for caches to sync for {}", name));
  const bool synced = wait_for_cache_sync(runtime, stop, caches);
  runtime.log(
      synced ? LogLevel::Info : LogLevel::Error,
      fmt::format("{} for {}", synced ? "caches are synced" : "unable to sync caches", name));
  return synced;
}

namespace {

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

/// The queue reads the store under its own lock, also when a resync outlives everything else.
template <typename AnyQueue>
struct QueueAndStore {
  template <typename Options>
  QueueAndStore(runtime::Runtime& runtime, std::shared_ptr<Indexer> store_in, Options options)
      : store(std::move(store_in)), queue(runtime, std::move(options)) {}

  std::shared_ptr<Indexer> store;
  AnyQueue queue;
};

template <typename AnyQueue, typename Options>
std::shared_ptr<Queue> beside_its_store(runtime::Runtime& runtime, std::shared_ptr<Indexer> store,
                                        Options options) {
  options.known_objects = store.get();
  auto both =
      std::make_shared<QueueAndStore<AnyQueue>>(runtime, std::move(store), std::move(options));
  return {both, &both->queue};
}

}  // namespace

api::Result<void> process_deltas(ResourceEventHandler& handler, Store& store, const Deltas& deltas,
                                 bool is_in_initial_list) {
  for (const Delta& delta : deltas) {
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

std::shared_ptr<Queue> make_informer_queue(runtime::Runtime& runtime, InformerQueueParts parts) {
  if (parts.machine.in_order) {
    return beside_its_store<RealFIFO>(runtime, std::move(parts.store),
                                      RealFIFOOptions{.transformer = std::move(parts.transform),
                                                      .count_before_processing = true,
                                                      .metrics = std::move(parts.metrics)});
  }
  return beside_its_store<DeltaFIFO>(runtime, std::move(parts.store),
                                     DeltaFIFOOptions{.emit_replaced = true,
                                                      .transformer = std::move(parts.transform),
                                                      .metrics = std::move(parts.metrics)});
}

Informer new_informer_with_options(runtime::Runtime& runtime, InformerOptions options) {
  auto store =
      std::make_shared<Cache>(runtime, deletion_handling_meta_namespace_key, options.indexers);
  PopProcess process = [handler = options.handler, store](const PopItem& item,
                                                          bool is_in_initial_list) -> Processed {
    return process_deltas(*handler, *store, std::get<Deltas>(item), is_in_initial_list);
  };
  options.reflector.joins_resync = options.machine.joins_resync;
  auto controller = std::make_shared<Controller>(
      runtime, ControllerOptions{.queue = make_informer_queue(
                                     runtime, {.store = store,
                                               .transform = std::move(options.transform),
                                               .metrics = std::move(options.queue_metrics),
                                               .machine = options.machine}),
                                 .lister_watcher = std::move(options.lister_watcher),
                                 .process = std::move(process),
                                 .reflector = std::move(options.reflector),
                                 .crash_on_panic = options.crash_on_panic});
  return {.store = std::move(store), .controller = std::move(controller)};
}

}  // namespace watchlab::cache
