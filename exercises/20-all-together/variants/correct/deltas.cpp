// Breaks: client-go's queue keeps every change of an object, and its worker uses the newest.
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "core/cache/cache.hpp"
#include "core/cache/delta_fifo.hpp"
#include "core/cache/reflector.hpp"
#include "core/runtime/task.hpp"
#include "exercises/20-all-together/subject.hpp"

namespace watchlab::exercise {
namespace {

class DeltaPipeline final : public Pipeline {
 public:
  DeltaPipeline(runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source,
                Mirror& mirror, runtime::Duration work)
      : runtime_(runtime),
        mirror_(mirror),
        work_(work),
        taken_(runtime, cache::deletion_handling_meta_namespace_key),
        queue_(std::make_shared<cache::DeltaFIFO>(
            runtime, cache::DeltaFIFOOptions{.known_objects = &taken_, .emit_replaced = true})),
        reflector_(runtime, std::move(source), queue_, {.api_version = "v1", .kind = "ConfigMap"}) {
  }

  void run(const runtime::StopToken& stop) override {
    const runtime::Task worker = runtime::spawn(runtime_, "worker", [this, &stop] { work(stop); });
    reflector_.run(stop);
    queue_->close();
    worker.join();
  }

 private:
  void work(const runtime::StopToken& stop) {
    while (const std::optional<cache::Delta> delta = take()) {
      if (stop.stopped()) {
        return;
      }
      runtime::sleep_for(runtime_, work_);
      const api::ObjectPtr object = cache::object_of(delta->object);
      if (delta->type == cache::DeltaType::Deleted) {
        mirror_.remove(object);
      } else {
        mirror_.put(object);
      }
    }
  }

  /// The newest change of the next object; nothing when the queue is closed and empty.
  std::optional<cache::Delta> take() {
    std::optional<cache::Delta> newest;
    static_cast<void>(queue_->pop([&](const cache::PopItem& item, bool /*initial*/) {
      newest = std::get<cache::Deltas>(item).back();
      return newest->type == cache::DeltaType::Deleted ? taken_.remove(newest->object)
                                                       : taken_.update(newest->object);
    }));
    return newest;
  }

  runtime::Runtime& runtime_;
  Mirror& mirror_;
  runtime::Duration work_;
  cache::Cache taken_;  ///< what the worker has been given
  std::shared_ptr<cache::DeltaFIFO> queue_;
  cache::Reflector reflector_;
};

}  // namespace

std::unique_ptr<Pipeline> make_pipeline(runtime::Runtime& runtime,
                                        std::shared_ptr<cache::ListerWatcher> source,
                                        Mirror& mirror, runtime::Duration work) {
  return std::make_unique<DeltaPipeline>(runtime, std::move(source), mirror, work);
}

}  // namespace watchlab::exercise
