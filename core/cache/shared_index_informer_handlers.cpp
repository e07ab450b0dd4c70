#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "core/cache/shared_index_informer_impl.hpp"

namespace watchlab::cache {
namespace {

constexpr runtime::Duration kMinResyncPeriod = std::chrono::seconds(1);

}  // namespace

/// The started lock must be held.
runtime::Duration SharedIndexInformer::Impl::admitted_resync_period(runtime::Duration requested) {
  if (requested == runtime::Duration::zero()) {
    return requested;
  }
  if (requested < kMinResyncPeriod) {
    warn("a resync period below one second counts as one second");
    requested = kMinResyncPeriod;
  }
  if (requested >= resync_check_period) {
    return requested;
  }
  if (started) {
    warn("a resync period shorter than the time between checks counts as that time");
    return resync_check_period;
  }
  resync_check_period = requested;
  processor->resync_check_period_changed(resync_check_period);
  return requested;
}

std::shared_ptr<ProcessorListener> SharedIndexInformer::Impl::make_listener(
    std::shared_ptr<ResourceEventHandler> handler, runtime::Duration resync_period) {
  // Weak, because the listener belongs to the informer; registrations hold the informer.
  std::function<bool()> upstream = [weak = weak_from_this()] {
    const std::shared_ptr<Impl> informer = weak.lock();
    return informer && informer->has_synced();
  };
  return std::make_shared<ProcessorListener>(
      runtime, ProcessorListenerOptions{
                   .handler = std::move(handler),
                   .requested_resync_period = resync_period,
                   .resync_period = effective_resync_period(resync_period, resync_check_period),
                   .upstream_has_synced = std::move(upstream),
                   .crash_on_panic = options.crash_on_panic,
                   .rests_before_next = options.machine.rests_before_next});
}

api::Result<RegistrationPtr> SharedIndexInformer::Impl::add_handler(
    std::shared_ptr<ResourceEventHandler> handler, runtime::Duration resync_period) {
  const runtime::Lock started_lock(started_mutex);
  if (stopped) {
    return api::Error{
        .message = "the handler was not added to shared informer because it has stopped already"};
  }
  const runtime::Duration admitted = admitted_resync_period(resync_period);
  const std::shared_ptr<ProcessorListener> listener = make_listener(std::move(handler), admitted);
  const RegistrationPtr registration = std::make_shared<Registration>(shared_from_this(), listener);
  if (!started) {
    processor->add_listener(listener);
    return registration;
  }
  // Nothing is processed from here until the end: what the store has now is delivered as an add,
  // and whatever comes later finds the listener there.
  const runtime::Lock deltas_lock(deltas_mutex);
  processor->add_listener(listener);
  for (const api::ObjectPtr& object : indexer->list()) {
    listener->add(std::make_shared<const Notification>(
        AddNotification{.object = object, .is_in_initial_list = true}));
  }
  return registration;
}

api::Result<void> SharedIndexInformer::Impl::remove_handler(const RegistrationPtr& registration) {
  const runtime::Lock started_lock(started_mutex);
  const runtime::Lock deltas_lock(deltas_mutex);
  const auto ours = std::dynamic_pointer_cast<Registration>(registration);
  if (!ours) {
    return api::Error{.message = "the registration was not made by a shared informer"};
  }
  processor->remove_listener(ours->listener);
  return {};
}

/// Mirrors client-go 0.37 ShutDownEventHandler: the wait comes after all locks.
api::Result<void> SharedIndexInformer::Impl::shut_down_handler(
    const RegistrationPtr& registration) {
  api::Result<void> removed = remove_handler(registration);
  if (removed) {
    processor->wait_for_end(std::dynamic_pointer_cast<Registration>(registration)->listener);
  }
  return removed;
}

api::Result<RegistrationPtr> SharedIndexInformer::add_event_handler(
    std::shared_ptr<ResourceEventHandler> handler) {
  return impl_->add_handler(std::move(handler), impl_->options.resync_period);
}

api::Result<RegistrationPtr> SharedIndexInformer::add_event_handler_with_resync_period(
    std::shared_ptr<ResourceEventHandler> handler, runtime::Duration resync_period) {
  return impl_->add_handler(std::move(handler), resync_period);
}

api::Result<void> SharedIndexInformer::remove_event_handler(const RegistrationPtr& registration) {
  return impl_->remove_handler(registration);
}

api::Result<void> SharedIndexInformer::shut_down_event_handler(
    const RegistrationPtr& registration) {
  return impl_->shut_down_handler(registration);
}

}  // namespace watchlab::cache
