#include "tests/examples/publishing_controller.hpp"

#include <utility>

#include "core/cache/informer.hpp"
#include "core/cache/key.hpp"
#include "core/workqueue/rate_limiters.hpp"

namespace watchlab::examples {

namespace {

/// Adds the key of whatever happened to an object. It decides nothing and does nothing slow.
std::shared_ptr<cache::ResourceEventHandler> enqueuing(
    std::shared_ptr<workqueue::RateLimitingQueue> queue) {
  const auto enqueue = [queue = std::move(queue)](const cache::Item& item) {
    // A deletion that was missed comes as a tombstone, which has a key as well.
    if (const auto key = cache::deletion_handling_meta_namespace_key(item)) {
      queue->add(*key);
    }
  };
  return cache::make_handler(
      {.add = [enqueue](const api::ObjectPtr& object, bool) { enqueue(object); },
       .update = [enqueue](const api::ObjectPtr&,
                           const api::ObjectPtr& object) { enqueue(object); },
       .remove = enqueue});
}

}  // namespace

PublishingController::PublishingController(runtime::Runtime& runtime,
                                           informers::SharedInformerFactory& factory,
                                           Publish publish)
    : runtime_(runtime),
      maps_(factory.for_resource(informers::config_maps())),
      queue_(std::make_shared<workqueue::RateLimitingQueue>(
          runtime, workqueue::default_controller_rate_limiter(runtime))),
      publish_(std::move(publish)) {
  registration_ = maps_.informer->add_event_handler(enqueuing(queue_)).value();
}

void PublishingController::run(const runtime::StopToken& stop, int workers) {
  // An empty store is no proof that the server is empty: wait until the first list was delivered.
  if (cache::wait_for_cache_sync(runtime_, stop,
                                 {[this] { return registration_->has_synced(); }})) {
    std::vector<runtime::Task> tasks;
    for (int i = 0; i < workers; ++i) {
      tasks.push_back(runtime::spawn(runtime_, "worker", [this] { work(); }));
    }
    stop.done(runtime_).receive();
    queue_->shut_down_with_drain();
    for (const runtime::Task& task : tasks) {
      task.join();
    }
  } else {
    queue_->shut_down();
  }
  (void)maps_.informer->remove_event_handler(registration_);
}

void PublishingController::work() {
  while (const std::optional<std::string> key = queue_->get()) {
    if (reconcile(*key)) {
      queue_->forget(*key);
    } else {
      queue_->add_rate_limited(*key);
    }
    queue_->done(*key);
  }
}

api::Result<void> PublishingController::reconcile(const std::string& key) {
  const api::Result<api::ObjectPtr> object = maps_.lister.get(key);
  if (!object) {
    return api::is_not_found(object.error()) ? publish_(key, nullptr) : object.error();
  }
  return publish_(key, *object);
}

}  // namespace watchlab::examples
