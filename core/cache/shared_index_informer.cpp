#include "core/cache/shared_index_informer.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/cache/informer.hpp"
#include "core/cache/shared_index_informer_impl.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/wait_group.hpp"

namespace watchlab::cache {
namespace {

api::Error refusal(std::string message) { return {.message = std::move(message)}; }

NotificationPtr shared(Notification notification) {
  return std::make_shared<const Notification>(std::move(notification));
}

std::unique_ptr<MutationDetector> make_detector(
    runtime::Runtime& runtime, const std::optional<MutationDetectorOptions>& options) {
  return options ? std::make_unique<MutationDetector>(runtime, *options) : nullptr;
}

}  // namespace

SharedIndexInformer::Impl::Impl(runtime::Runtime& runtime_in, SharedIndexInformerOptions options_in)
    : runtime(runtime_in),
      options(std::move(options_in)),
      indexer(std::make_shared<Cache>(
          runtime, deletion_handling_meta_namespace_key, options.indexers,
          CacheOptions{.keeps_version = options.machine.atomic, .metrics = options.store_metrics})),
      processor(std::make_shared<SharedProcessor>(runtime, options.machine.waits_for_listeners)),
      mutation_detector(make_detector(runtime, options.mutation_detector)),
      started_mutex(runtime, "informer_started"),
      resync_check_period(options.resync_period),
      deltas_mutex(runtime, "informer_deltas") {}

void SharedIndexInformer::Impl::warn(std::string_view what) const {
  runtime.log(runtime::LogLevel::Warning, fmt::format("{}: {}", options.reflector.name, what));
}

void SharedIndexInformer::Impl::watch_for_mutations(const api::ObjectPtr& object) {
  if (mutation_detector) {
    mutation_detector->add_object(object);
  }
}

/// Mirrors client-go OnAdd. An addition is no resync: it goes to all listeners, whatever their
/// periods.
void SharedIndexInformer::Impl::on_add(const api::ObjectPtr& object, bool is_in_initial_list) {
  // Before a handler receives it: a copy taken later could be one of the changed object.
  watch_for_mutations(object);
  processor->distribute(
      shared(AddNotification{.object = object, .is_in_initial_list = is_in_initial_list}), false);
}

/// Mirrors client-go OnUpdate: an update to the same version goes only to listeners whose resync is
/// due.
void SharedIndexInformer::Impl::on_update(const api::ObjectPtr& old_object,
                                          const api::ObjectPtr& new_object) {
  watch_for_mutations(new_object);
  // Whatever the delta was called: a list that brings nothing new is no more news than a resync.
  const bool is_sync =
      old_object->metadata.resource_version == new_object->metadata.resource_version;
  processor->distribute(
      shared(UpdateNotification{.old_object = old_object, .new_object = new_object}), is_sync);
}

void SharedIndexInformer::Impl::on_delete(const Item& item) {
  processor->distribute(shared(DeleteNotification{.item = item}), false);
}

/// Mirrors client-go HandleDeltas under blockDeltas. `add_event_handler` holds the same lock while
/// it lists the store, so a late handler gets each object from that list or from a later delta, and
/// none twice.
Processed SharedIndexInformer::Impl::handle_deltas(const PopItem& item, bool is_in_initial_list) {
  const runtime::Lock lock(deltas_mutex);
  return process_deltas({.runtime = runtime, .handler = *this, .store = *indexer},
                        std::get<Deltas>(item), is_in_initial_list);
}

/// Mirrors client-go 0.35 HandleBatchDeltas.
api::Result<void> SharedIndexInformer::Impl::handle_batch(const Deltas& batch,
                                                          bool is_in_initial_list) {
  const runtime::Lock lock(deltas_mutex);
  return process_deltas_in_batch({.runtime = runtime, .handler = *this, .store = *indexer}, batch,
                                 is_in_initial_list);
}

bool SharedIndexInformer::Impl::has_started() const {
  const runtime::Lock lock(started_mutex);
  return started;
}

/// The first part of client-go Run, under the lock of what may be set before the start: a transform
/// or an error handler is either there by now or refused. The queue emits Replaced, as every
/// consumer of this informer knows it.
std::shared_ptr<Controller> SharedIndexInformer::Impl::set_up(const runtime::StopToken& stop) {
  const runtime::Lock lock(started_mutex);
  const features::ReleaseProfile& machine = options.machine;
  ReflectorOptions reflector = reflector_of(machine, options.reflector);
  reflector.resync_period = resync_check_period;
  // The reflector's resync task can outlive the informer, so it shares the processor.
  reflector.should_resync = [processor = processor] { return processor->should_resync(); };
  reflector.watch_error_handler = watch_error_handler;
  ControllerOptions made{.queue = make_informer_queue(runtime, {.store = indexer,
                                                                .transform = transform,
                                                                .metrics = options.queue_metrics,
                                                                .machine = machine}),
                         .lister_watcher = options.lister_watcher,
                         .process =
                             [this](const PopItem& item, bool is_in_initial_list) {
                               return handle_deltas(item, is_in_initial_list);
                             },
                         .reflector = std::move(reflector),
                         .leaves_at_stop = machine.leaves_at_stop,
                         .crash_on_panic = options.crash_on_panic};
  if (machine.batches) {
    made.process_batch = [this](const Deltas& batch, bool is_in_initial_list) {
      return handle_batch(batch, is_in_initial_list);
    };
  }
  controller = std::make_shared<Controller>(runtime, std::move(made));
  started = true;
  begin_waits(stop);
  return controller;
}

/// Mirrors client-go Run. What its deferred calls do comes in the same order after the controller
/// has ended, whichever way: no more handlers, the listeners' stop, and waiting for them.
void SharedIndexInformer::Impl::run(const runtime::StopToken& stop) {
  // Two calls at the very same time both pass here, as in the original.
  if (has_started()) {
    warn("the shared informer has started, run more than once is not allowed");
    return;
  }
  const std::shared_ptr<Controller> running = set_up(stop);
  // The handlers get a stop of their own: they end strictly after the tasks that notify them.
  runtime::StopSource processor_stop(runtime);
  auto group = std::make_shared<runtime::WaitGroup>(runtime, "shared_informer");
  group->start("processor", [group, processor = processor, token = processor_stop.token()] {
    processor->run(token);
  });
  if (mutation_detector) {
    group->start("mutation_detector",
                 [group, self = shared_from_this(), token = processor_stop.token()] {
                   self->mutation_detector->run(token);
                 });
  }
  runtime::run_then([&] { running->run(stop); },
                    [&] {
                      {
                        const runtime::Lock lock(started_mutex);
                        stopped = true;
                      }
                      processor_stop.stop();
                      group->wait();
                    });
}

/// Of the queue, not of the handlers: theirs is the `has_synced` of their registration.
bool SharedIndexInformer::Impl::has_synced() const {
  const runtime::Lock lock(started_mutex);
  return controller && controller->has_synced();
}

api::Result<void> SharedIndexInformer::Impl::check_not_started() const {
  return started ? api::Result<void>(refusal("informer has already started")) : api::Result<void>();
}

SharedIndexInformer::SharedIndexInformer(runtime::Runtime& runtime,
                                         SharedIndexInformerOptions options)
    : impl_(std::make_shared<Impl>(runtime, std::move(options))) {}

SharedIndexInformer::~SharedIndexInformer() = default;

/// Mirrors client-go Run. The caller may give up the informer while this runs; its parts stay until
/// the end.
void SharedIndexInformer::run(const runtime::StopToken& stop) {
  const std::shared_ptr<Impl> keep_alive = impl_;
  keep_alive->run(stop);
}

/// Mirrors client-go SetWatchErrorHandler. The reflector takes the handler once, in `set_up`: a
/// later one would never be called, so it is refused.
api::Result<void> SharedIndexInformer::set_watch_error_handler(WatchErrorHandler handler) {
  const runtime::Lock lock(impl_->started_mutex);
  const api::Result<void> allowed = impl_->check_not_started();
  if (allowed) {
    impl_->watch_error_handler = std::move(handler);
  }
  return allowed;
}

/// Mirrors client-go SetTransform. Refused after the start, because objects could be in the store
/// already that were not transformed.
api::Result<void> SharedIndexInformer::set_transform(TransformFunction transform) {
  const runtime::Lock lock(impl_->started_mutex);
  const api::Result<void> allowed = impl_->check_not_started();
  if (allowed) {
    impl_->transform = std::move(transform);
  }
  return allowed;
}

/// Mirrors client-go AddIndexers. Allowed after the start, since the store then indexes what it
/// holds; after the stop there is nothing more to index for.
api::Result<void> SharedIndexInformer::add_indexers(const Indexers& indexers) {
  const runtime::Lock lock(impl_->started_mutex);
  if (impl_->stopped) {
    return refusal("indexers were not added because the informer has stopped already");
  }
  return impl_->indexer->add_indexers(indexers);
}

std::shared_ptr<Indexer> SharedIndexInformer::indexer() const { return impl_->indexer; }

bool SharedIndexInformer::has_synced() const { return impl_->has_synced(); }

DoneChecker SharedIndexInformer::has_synced_checker() { return impl_->has_synced_checker(); }

/// Mirrors client-go LastSyncResourceVersion: the reflector's revision, and "" until there is one.
std::string SharedIndexInformer::last_sync_resource_version() const {
  const runtime::Lock lock(impl_->started_mutex);
  return impl_->controller ? impl_->controller->last_sync_resource_version() : "";
}

bool SharedIndexInformer::is_stopped() const {
  const runtime::Lock lock(impl_->started_mutex);
  return impl_->stopped;
}

}  // namespace watchlab::cache
