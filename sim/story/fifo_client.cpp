#include <fmt/format.h>

#include <map>
#include <utility>
#include <vector>

#include "core/cache/fifo.hpp"
#include "core/cache/informer.hpp"
#include "core/cache/reflector.hpp"
#include "core/runtime/task.hpp"
#include "sim/story/client.hpp"

namespace watchlab::sim {
namespace {

/// The queue, and what its workers write into it; they keep it alive.
class PopBench {
 public:
  PopBench(std::shared_ptr<StoryStage> stage, const StoryClientOptions& options)
      : stage_(std::move(stage)),
        options_(options),
        queue_(stage_->runtime, cache::meta_namespace_key,
               {.count_before_processing = machine_of(options).counts_before}) {}

  [[nodiscard]] cache::FIFO& queue() { return queue_; }

  /// The life of a worker: until the queue is closed and empty.
  void work() {
    bool continues = true;
    while (continues) {
      const bool synced = queue_.has_synced();
      const cache::Popped popped =
          queue_.pop([&](const cache::PopItem& item, bool is_in_initial_list) -> cache::Processed {
            return process(std::get<api::ObjectPtr>(item), is_in_initial_list, synced);
          });
      continues = popped.outcome || popped.outcome.error().kind != api::ErrorKind::Closed;
      if (continues) {
        be_busy(*stage_, options_.pause);
      }
      if (continues && !popped.outcome) {
        (void)queue_.add_if_not_present(popped.item);
      }
    }
  }

 private:
  cache::Processed process(const api::ObjectPtr& object, bool is_in_initial_list, bool synced) {
    const std::string key = api::key_of(object->metadata);
    const bool failed = !is_in_initial_list && failed_[key]++ < options_.failures;
    stage_->runtime.note(
        {"pop", options_.name, fmt::format("{} {}", key, object->metadata.resource_version)});
    stage_->recorder->popped(PopRecord{.client = options_.name,
                                       .key = key,
                                       .object = object,
                                       .initial = is_in_initial_list,
                                       .failed = failed,
                                       .synced = synced});
    if (failed) {
      return api::Error{.message = "to be tried again"};
    }
    return {};
  }

  std::shared_ptr<StoryStage> stage_;
  StoryClientOptions options_;
  cache::FIFO queue_;
  std::map<std::string, std::int64_t> failed_;  // guarded by the queue's lock
};

class FifoClient : public ClientOfTasks, public std::enable_shared_from_this<FifoClient> {
 public:
  FifoClient(std::shared_ptr<StoryStage> stage, StoryClientOptions options)
      : ClientOfTasks(std::move(stage), std::move(options)),
        bench_(std::make_shared<PopBench>(stage_, options_)),
        reflector_(stage_->runtime, connect(stage_, options_),
                   std::shared_ptr<cache::ReflectorStore>(bench_, &bench_->queue()),
                   cache::reflector_of(machine_of(options_),
                                       {.name = options_.name, .resync_period = options_.resync})) {
  }

  void start() override {
    tasks_.push_back(runtime::spawn(stage_->runtime, options_.name, [self = shared_from_this()] {
      self->reflector_.run(self->stop_.token());
    }));
    for (std::int64_t i = 0; i < options_.workers; ++i) {
      tasks_.push_back(runtime::spawn(stage_->runtime, fmt::format("{}-worker{}", options_.name, i),
                                      [bench = bench_] { bench->work(); }));
    }
  }
  void stop() override {
    stop_.stop();
    bench_->queue().close();
  }
  bool has_synced() override { return bench_->queue().has_synced(); }
  /// What is queued: it keeps nothing else.
  std::vector<api::ObjectPtr> stored() override { return in_key_order(bench_->queue().list()); }

 private:
  std::shared_ptr<PopBench> bench_;
  cache::Reflector reflector_;
};

}  // namespace

std::shared_ptr<Client> make_fifo_client(std::shared_ptr<StoryStage> stage,
                                         StoryClientOptions options) {
  return std::make_shared<FifoClient>(std::move(stage), std::move(options));
}

}  // namespace watchlab::sim
