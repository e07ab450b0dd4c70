#include <fmt/format.h>

#include <map>
#include <utility>
#include <vector>

#include "core/cache/shared_index_informer.hpp"
#include "core/runtime/task.hpp"
#include "core/workqueue/delaying_queue.hpp"
#include "core/workqueue/rate_limiters.hpp"
#include "sim/story/client.hpp"
#include "sim/story/reconciler.hpp"

namespace watchlab::sim {
namespace {

constexpr runtime::Duration kFirstRetry = std::chrono::milliseconds(5);
/// Shorter than a story must be quiet before it is over.
constexpr runtime::Duration kLongestRetry = std::chrono::seconds(20);

/// A controller's queue and what its workers need; the workers keep it alive.
class WorkBench {
 public:
  WorkBench(std::shared_ptr<StoryStage> stage, const StoryClientOptions& options,
            std::shared_ptr<cache::Indexer> store)
      : stage_(std::move(stage)),
        options_(options),
        store_(std::move(store)),
        stop_(stage_->runtime),
        connection_(stage_->host, {.client = options_.name,
                                   .namespace_ = options_.namespace_,
                                   .server = static_cast<std::size_t>(options_.replica),
                                   .transport = stage_->transport}),
        reconciler_(make_reconciler(stage_->runtime, options_.reconcile)),
        queue_(stage_->runtime,
               std::make_unique<workqueue::ItemExponentialFailureRateLimiter>(
                   stage_->runtime, kFirstRetry, kLongestRetry),
               {.name = options_.name}) {}

  void notified_of(const api::Object& object) { reconciler_->notified_of(object); }
  /// `repeats`: the object is as it was, and a resync delivers it again.
  void changed(const api::Object& object, bool repeats) {
    const std::string key = reconciler_->key_for(object);
    record({.type = WorkType::Added, .key = key}, repeats);
    queue_.add(key);
  }
  /// Waits, with `drains`, until no worker has a key.
  void shut_down() {
    stop_.stop();
    options_.drains ? queue_.shut_down_with_drain() : queue_.shut_down();
  }
  [[nodiscard]] bool drains() const { return options_.drains; }

  /// The life of a worker.
  void work(const std::string& worker) {
    while (const std::optional<std::string> key = queue_.get()) {
      const api::ObjectPtr seen = store_->get_by_key(*key);
      const std::string revision = seen ? seen->metadata.resource_version : "";
      const bool repeats = !is_new(*key, revision);
      record({.type = WorkType::Taken, .key = *key, .worker = worker}, repeats);
      stage_->recorder->paused();
      if (options_.takes > runtime::Duration::zero()) {
        runtime::sleep_for(stage_->runtime, options_.takes);
      }
      const bool failed = fails(*key) || !reconcile(*key);
      record({.type = WorkType::Done, .key = *key, .worker = worker, .revision = revision},
             repeats);
      stage_->recorder->rested();
      if (failed) {
        record({.type = WorkType::Added, .key = *key, .worker = worker}, false);
        queue_.add_rate_limited(*key);
      } else {
        queue_.forget(*key);
      }
      queue_.done(*key);
    }
  }

 private:
  /// Whether this time is one of the first tries, which fail. No two workers have the same key, and
  /// a map stays as it is while others are put beside.
  bool fails(const std::string& key) { return failed_[key]++ < options_.failures; }

  bool reconcile(const std::string& key) {
    const runtime::StopToken stop = stop_.token();
    ReconcileContext context{store_, connection_, stop, stage_->runtime};
    return reconciler_->reconcile(key, context).ok();
  }

  /// Whether no worker has seen that state of the key before.
  bool is_new(const std::string& key, const std::string& revision) {
    std::string& last = seen_[key];
    const bool changed = last != revision;
    last = revision;
    return changed;
  }

  void record(WorkRecord work, bool repeats) {
    work.client = options_.name;
    stage_->recorder->worked(std::move(work), repeats);
  }

  std::shared_ptr<StoryStage> stage_;
  StoryClientOptions options_;
  std::shared_ptr<cache::Indexer> store_;
  runtime::StopSource stop_;
  Connection connection_;
  std::unique_ptr<Reconciler> reconciler_;
  workqueue::RateLimitingQueue queue_;
  std::map<std::string, std::int64_t> failed_;
  std::map<std::string, std::string> seen_;  // the revision that a worker saw last, by key
};

class ControllerClient : public ClientOfTasks {
 public:
  ControllerClient(std::shared_ptr<StoryStage> stage, StoryClientOptions options)
      : ClientOfTasks(std::move(stage), std::move(options)),
        informer_(std::make_shared<cache::SharedIndexInformer>(
            stage_->runtime,
            cache::SharedIndexInformerOptions{.lister_watcher = connect(stage_, options_),
                                              .resync_period = options_.resync,
                                              .indexers = index_by_labels(),
                                              .reflector = {.name = options_.name},
                                              .store_metrics = reached_,
                                              .machine = machine_of(options_)})) {}

  void start() override {
    bench_ = std::make_shared<WorkBench>(stage_, options_, informer_->indexer());
    listen();
    tasks_.push_back(
        runtime::spawn(stage_->runtime, options_.name,
                       [informer = informer_, stop = stop_.token()] { informer->run(stop); }));
    for (std::int64_t i = 0; i < options_.workers; ++i) {
      const std::string worker = fmt::format("{}-worker{}", options_.name, i);
      tasks_.push_back(runtime::spawn(stage_->runtime, worker,
                                      [bench = bench_, worker] { bench->work(worker); }));
    }
  }
  void stop() override {
    stop_.stop();
    if (bench_ && bench_->drains()) {
      tasks_.push_back(runtime::spawn(stage_->runtime, options_.name + "-drain",
                                      [bench = bench_] { bench->shut_down(); }));
    } else if (bench_) {
      bench_->shut_down();
    }
  }
  bool has_synced() override { return informer_->has_synced(); }
  std::vector<api::ObjectPtr> stored() override {
    return in_key_order(informer_->indexer()->list());
  }
  std::string store_version() override {
    return informer_->indexer()->last_store_sync_resource_version();
  }
  std::optional<IndexRecord> indexed() override { return labels_indexed_by(*informer_->indexer()); }

 private:
  void listen() {
    (void)informer_->add_event_handler(cache::make_handler(
        {.add =
             [bench = bench_](const api::ObjectPtr& object, bool) {
               bench->notified_of(*object);
               bench->changed(*object, false);
             },
         .update =
             [bench = bench_](const api::ObjectPtr& before, const api::ObjectPtr& now) {
               bench->changed(*now,
                              before->metadata.resource_version == now->metadata.resource_version);
             },
         .remove =
             [bench = bench_](const cache::Item& item) {
               if (const api::ObjectPtr object = cache::object_of(item)) {
                 bench->changed(*object, false);
               }
             }}));
  }

  std::shared_ptr<cache::SharedIndexInformer> informer_;
  std::shared_ptr<WorkBench> bench_;
};

}  // namespace

std::shared_ptr<Client> make_controller_client(std::shared_ptr<StoryStage> stage,
                                               StoryClientOptions options) {
  return std::make_shared<ControllerClient>(std::move(stage), std::move(options));
}

}  // namespace watchlab::sim
