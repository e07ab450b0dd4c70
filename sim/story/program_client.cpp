#include <fmt/format.h>

#include <utility>

#include "core/cache/cache.hpp"
#include "core/cache/delta_fifo.hpp"
#include "core/cache/informer.hpp"
#include "core/cache/reflector.hpp"
#include "core/runtime/task.hpp"
#include "sim/story/client.hpp"

namespace watchlab::sim {
namespace {

EndCause cause_in(const api::Error& error) {
  switch (error.kind) {
    case api::ErrorKind::Key:
      return EndCause::KeyError;
    case api::ErrorKind::Closed:
      return EndCause::Closed;
    default:
      return EndCause::Other;
  }
}

class ProgramClient : public ClientOfTasks, public std::enable_shared_from_this<ProgramClient> {
 public:
  ProgramClient(std::shared_ptr<StoryStage> stage, StoryClientOptions options)
      : ClientOfTasks(std::move(stage), std::move(options)),
        parts_(std::make_shared<Parts>(stage_->runtime)),
        reflector_(stage_->runtime, connect(stage_, options_),
                   std::shared_ptr<cache::ReflectorStore>(parts_, &parts_->queue),
                   cache::reflector_of(machine_of(options_),
                                       {.name = options_.name, .resync_period = options_.resync})) {
  }

  void start() override {
    const auto reflecting =
        runtime::spawn(stage_->runtime, options_.name + "-reflector",
                       [self = shared_from_this()] { self->reflector_.run(self->stop_.token()); });
    const auto popping = runtime::spawn(stage_->runtime, options_.name,
                                        [self = shared_from_this()] { self->pop_until_the_end(); });
    tasks_ = {popping, reflecting};
  }
  void stop() override {
    stop_.stop();
    parts_->queue.close();
  }
  bool has_synced() override { return parts_->queue.has_synced(); }
  std::vector<api::ObjectPtr> stored() override { return in_key_order(parts_->store.list()); }

 private:
  /// A store whose keys come from objects only: a tombstone is an error to it, as in the tutorial.
  struct Parts {
    explicit Parts(runtime::Runtime& runtime)
        : store(runtime, cache::meta_namespace_key),
          queue(runtime, {.known_objects = &store, .emit_replaced = true}) {}

    cache::Cache store;
    cache::DeltaFIFO queue;
  };

  void pop_until_the_end() {
    api::Result<void> outcome;
    while (outcome) {
      outcome = parts_->queue
                    .pop([this](const cache::PopItem& item, bool is_in_initial_list) {
                      return process(item, is_in_initial_list);
                    })
                    .outcome;
      if (outcome) {
        be_busy(*stage_, options_.pause);
      }
    }
    const EndCause cause = cause_in(outcome.error());
    if (cause != EndCause::Closed) {
      stage_->runtime.note({"print", options_.name, outcome.error().message});
    }
    stage_->recorder->ended({.client = options_.name, .cause = cause});
    stop_.stop();  // the process is gone, and its reflector with it
  }

  cache::Processed process(const cache::PopItem& item, bool is_in_initial_list) {
    record_deltas(*stage_, item, {.client = options_.name, .initial = is_in_initial_list});
    for (const cache::Delta& delta : std::get<cache::Deltas>(item)) {
      const api::ObjectPtr object = cache::object_of(delta.object);
      stage_->runtime.note({"print", options_.name,
                            fmt::format("{}: {}", cache::to_string(delta.type),
                                        object ? object->metadata.name : "?")});
      api::Result<void> kept = delta.type == cache::DeltaType::Deleted
                                   ? parts_->store.remove(delta.object)
                                   : parts_->store.add(delta.object);
      if (!kept) {
        return kept.error();
      }
    }
    return {};
  }

  std::shared_ptr<Parts> parts_;
  cache::Reflector reflector_;
};

}  // namespace

std::shared_ptr<Client> make_program_client(std::shared_ptr<StoryStage> stage,
                                            StoryClientOptions options) {
  return std::make_shared<ProgramClient>(std::move(stage), std::move(options));
}

}  // namespace watchlab::sim
