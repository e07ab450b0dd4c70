#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/cache/cache.hpp"
#include "core/cache/controller.hpp"
#include "core/cache/shared_index_informer.hpp"
#include "core/cache/shared_processor.hpp"
#include "core/runtime/mutex.hpp"

namespace watchlab::cache {

/// A shared informer's inside, private to the shared_index_informer*.cpp files. It receives every
/// change of its store, as a handler does, and passes it on to the listeners.
///
/// Locks, in the order in which they may be taken: the started lock, the queue's, the deltas lock,
/// the processor's. The processing of a popped item holds the queue's and the deltas lock; adding
/// or removing a handler while the informer runs holds the started and the deltas lock, and never
/// the queue's.
class SharedIndexInformer::Impl : public ResourceEventHandler,
                                  public std::enable_shared_from_this<SharedIndexInformer::Impl> {
 public:
  Impl(runtime::Runtime& runtime_in, SharedIndexInformerOptions options_in);

  // shared_index_informer.cpp
  void on_add(const api::ObjectPtr& object, bool is_in_initial_list) override;
  void on_update(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object) override;
  void on_delete(const Item& item) override;

  void run(const runtime::StopToken& stop);
  [[nodiscard]] std::shared_ptr<Controller> set_up(const runtime::StopToken& stop);
  [[nodiscard]] Processed handle_deltas(const PopItem& item, bool is_in_initial_list);
  [[nodiscard]] api::Result<void> handle_batch(const Deltas& batch, bool is_in_initial_list);
  [[nodiscard]] bool has_started() const;
  [[nodiscard]] bool has_synced() const;
  [[nodiscard]] api::Result<void> check_not_started() const;
  void warn(std::string_view what) const;
  /// Has the object watched, if objects are.
  void watch_for_mutations(const api::ObjectPtr& object);

  // shared_index_informer_handlers.cpp
  [[nodiscard]] api::Result<RegistrationPtr> add_handler(
      std::shared_ptr<ResourceEventHandler> handler, runtime::Duration resync_period);
  [[nodiscard]] runtime::Duration admitted_resync_period(runtime::Duration requested);
  [[nodiscard]] std::shared_ptr<ProcessorListener> make_listener(
      std::shared_ptr<ResourceEventHandler> handler, runtime::Duration resync_period);
  [[nodiscard]] api::Result<void> remove_handler(const RegistrationPtr& registration);
  [[nodiscard]] api::Result<void> shut_down_handler(const RegistrationPtr& registration);

  // sync/sync_checkers.cpp
  [[nodiscard]] DoneChecker has_synced_checker();
  [[nodiscard]] runtime::Channel<runtime::Unit> done_when(
      std::function<bool(const runtime::StopToken& stop)> wait);
  void begin_waits(const runtime::StopToken& stop);

  runtime::Runtime& runtime;
  SharedIndexInformerOptions options;
  const std::shared_ptr<Cache> indexer;
  const std::shared_ptr<SharedProcessor> processor;
  /// Null when none was asked for.
  const std::unique_ptr<MutationDetector> mutation_detector;

  mutable runtime::Mutex started_mutex;
  bool started = false;                    ///< guarded by started_mutex
  bool stopped = false;                    ///< guarded by started_mutex
  std::shared_ptr<Controller> controller;  ///< guarded by started_mutex
  runtime::Duration resync_check_period;   ///< guarded by started_mutex until started
  WatchErrorHandler watch_error_handler;   ///< guarded by started_mutex until started
  TransformFunction transform;             ///< guarded by started_mutex until started
  runtime::StopToken stop_of_run;          ///< guarded by started_mutex; set once started
  /// What is to be waited for once the informer runs. Guarded by started_mutex.
  std::vector<std::function<void()>> waits;
  std::optional<DoneChecker> synced;  ///< guarded by started_mutex; made when it is asked for

  /// Held while a popped item is processed, so that no change is lost to a handler that is just
  /// added.
  runtime::Mutex deltas_mutex;
};

/// What `add_event_handler` hands out. Keeps the informer alive, as a Go reference would.
class SharedIndexInformer::Registration : public ResourceEventHandlerRegistration {
 public:
  Registration(std::shared_ptr<Impl> informer_in, std::shared_ptr<ProcessorListener> listener_in)
      : informer(std::move(informer_in)), listener(std::move(listener_in)) {}

  [[nodiscard]] bool has_synced() const override { return listener->has_synced(); }

  const std::shared_ptr<Impl> informer;
  const std::shared_ptr<ProcessorListener> listener;

  [[nodiscard]] DoneChecker has_synced_checker() override;

 private:
  std::optional<DoneChecker> synced_;  ///< guarded by the informer's started_mutex
};

}  // namespace watchlab::cache
