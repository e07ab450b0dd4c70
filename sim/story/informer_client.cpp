#include <map>
#include <utility>

#include "core/cache/cache.hpp"
#include "core/cache/informer.hpp"
#include "core/runtime/task.hpp"
#include "sim/story/client.hpp"
#include "sim/story/recording_handler.hpp"

namespace watchlab::sim {
namespace {

class InformerClient : public ClientOfTasks, public std::enable_shared_from_this<InformerClient> {
 public:
  InformerClient(std::shared_ptr<StoryStage> stage, StoryClientOptions options)
      : ClientOfTasks(std::move(stage), std::move(options)),
        store_(std::make_shared<cache::Cache>(
            stage_->runtime, cache::deletion_handling_meta_namespace_key, cache::Indexers(),
            cache::CacheOptions{.keeps_version = machine_of(options_).atomic,
                                .metrics = reached_})) {
    if (options_.handlers.empty()) {
      options_.handlers.emplace_back();
    }
    observed_ = std::make_shared<ObservedStore>(store_);
    handler_ = std::make_shared<RecordingHandler>(
        stage_, options_.name, options_.handlers.front(),
        RecordingHandler::View{
            .held = [store = observed_](const std::string& key) { return store->held(key); },
            .reached = reached_});
    const features::ReleaseProfile& machine = machine_of(options_);
    controller_ = std::make_shared<cache::Controller>(
        stage_->runtime,
        cache::ControllerOptions{
            .queue =
                cache::make_informer_queue(stage_->runtime, {.store = store_, .machine = machine}),
            .lister_watcher = connect(stage_, options_),
            .process = process(),
            .process_batch = machine.batches ? process_batch() : cache::ProcessBatch(),
            .reflector = cache::reflector_of(
                machine, {.name = options_.name, .resync_period = options_.resync}),
            .retry_on_error = options_.failures > 0,
            .leaves_at_stop = machine.leaves_at_stop});
  }

  void start() override {
    tasks_.push_back(runtime::spawn(stage_->runtime, options_.name, [self = shared_from_this()] {
      self->controller_->run(self->stop_.token());
    }));
  }
  bool has_synced() override { return controller_->has_synced(); }
  std::vector<api::ObjectPtr> stored() override { return in_key_order(store_->list()); }
  std::string store_version() override { return store_->last_store_sync_resource_version(); }

 private:
  /// How often each key has been processed although it was to fail.
  using Failures = std::map<std::string, std::int64_t>;

  /// Whether this time is one of the first tries of a key, which fail. Not with a deletion, of
  /// which a handler must be notified once, nor with several deltas, so that it goes back behind
  /// none; nor in the first list, whose end is counted in tries.
  static bool fails(Failures& failed, std::int64_t failures, const cache::Deltas& deltas) {
    if (failures == 0 || deltas.size() > 1 || deltas.front().type == cache::DeltaType::Deleted) {
      return false;
    }
    return failed[api::key_of(cache::object_of(deltas.front().object)->metadata)]++ < failures;
  }

  /// The process function of an informer, which also records the deltas. It refers to nothing that
  /// refers to the controller.
  cache::PopProcess process() {
    return [stage = stage_, name = options_.name, store = observed_, handler = handler_,
            failures = options_.failures, failed = std::make_shared<Failures>()](
               const cache::PopItem& item, bool is_in_initial_list) -> cache::Processed {
      const auto& deltas = std::get<cache::Deltas>(item);
      const bool is_failure = !is_in_initial_list && fails(*failed, failures, deltas);
      record_deltas(*stage, item,
                    {.client = name, .initial = is_in_initial_list, .failed = is_failure});
      api::Result<void> done =
          cache::process_deltas({.runtime = stage->runtime, .handler = *handler, .store = *store},
                                deltas, is_in_initial_list);
      // It has worked on it all the same: what it does again is what it did already.
      return is_failure && done ? api::Error{.message = "to be tried again"} : done;
    };
  }

  /// The same for several deltas at once, none of which fails.
  cache::ProcessBatch process_batch() {
    return [stage = stage_, name = options_.name, store = observed_, handler = handler_](
               const cache::Deltas& batch, bool is_in_initial_list) {
      record_deltas(*stage, batch, {.client = name, .initial = is_in_initial_list});
      return cache::process_deltas_in_batch(
          {.runtime = stage->runtime, .handler = *handler, .store = *store}, batch,
          is_in_initial_list);
    };
  }

  std::shared_ptr<cache::Cache> store_;
  std::shared_ptr<ObservedStore> observed_;
  std::shared_ptr<cache::ResourceEventHandler> handler_;
  std::shared_ptr<cache::Controller> controller_;
};

}  // namespace

std::shared_ptr<Client> make_informer_client(std::shared_ptr<StoryStage> stage,
                                             StoryClientOptions options) {
  return std::make_shared<InformerClient>(std::move(stage), std::move(options));
}

}  // namespace watchlab::sim
