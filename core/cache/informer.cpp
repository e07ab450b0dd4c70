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
  auto both =
      std::make_shared<QueueAndStore<AnyQueue>>(runtime, std::move(store), std::move(options));
  return {both, &both->queue};
}

}  // namespace

std::shared_ptr<Queue> make_informer_queue(runtime::Runtime& runtime, InformerQueueParts parts) {
  const Indexer* const known = parts.store.get();
  const features::ReleaseProfile& machine = parts.machine;
  if (machine.in_order) {
    return beside_its_store<RealFIFO>(
        runtime, std::move(parts.store),
        RealFIFOOptions{.known_objects = machine.atomic ? nullptr : known,
                        .transformer = std::move(parts.transform),
                        .atomic_events = machine.atomic,
                        .unlock_while_processing = machine.atomic && machine.unlocks,
                        .emit_delta_type_bookmark = machine.atomic,
                        .count_before_processing = machine.counts_before,
                        .metrics = std::move(parts.metrics)});
  }
  return beside_its_store<DeltaFIFO>(runtime, std::move(parts.store),
                                     DeltaFIFOOptions{.known_objects = known,
                                                      .emit_replaced = true,
                                                      .transformer = std::move(parts.transform),
                                                      .metrics = std::move(parts.metrics)});
}

ReflectorOptions reflector_of(const features::ReleaseProfile& machine, ReflectorOptions options) {
  options.joins_resync = machine.joins_resync;
  options.streams_lists = machine.streams_lists;
  options.resets_delay = machine.resets_delay;
  options.ordered_versions = machine.ordered_versions;
  options.refuses_tables = machine.refuses_tables;
  return options;
}

Informer new_informer_with_options(runtime::Runtime& runtime, InformerOptions options) {
  const features::ReleaseProfile& machine = options.machine;
  auto store = std::make_shared<Cache>(
      runtime, deletion_handling_meta_namespace_key, options.indexers,
      CacheOptions{.keeps_version = machine.atomic, .metrics = std::move(options.store_metrics)});
  const auto consumer = [&runtime, handler = options.handler, store] {
    return DeltaConsumer{.runtime = runtime, .handler = *handler, .store = *store};
  };
  ControllerOptions made{
      .queue = make_informer_queue(runtime, {.store = store,
                                             .transform = std::move(options.transform),
                                             .metrics = std::move(options.queue_metrics),
                                             .machine = machine}),
      .lister_watcher = std::move(options.lister_watcher),
      .process = [consumer](const PopItem& item, bool is_in_initial_list) -> Processed {
        return process_deltas(consumer(), std::get<Deltas>(item), is_in_initial_list);
      },
      .reflector = reflector_of(machine, std::move(options.reflector)),
      .leaves_at_stop = machine.leaves_at_stop,
      .crash_on_panic = options.crash_on_panic};
  if (machine.batches) {
    made.process_batch = [consumer](const Deltas& batch, bool is_in_initial_list) {
      return process_deltas_in_batch(consumer(), batch, is_in_initial_list);
    };
  }
  return {.store = std::move(store),
          .controller = std::make_shared<Controller>(runtime, std::move(made))};
}

}  // namespace watchlab::cache
