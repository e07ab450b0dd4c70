// Breaks: its queue keeps the newest state of each object and what became of it.
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/cache/reflector.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "exercises/20-all-together/subject.hpp"

namespace watchlab::exercise {
namespace {

/// The last that is known of an object.
struct State {
  api::ObjectPtr object;
  bool deleted = false;
};

class StateQueue final : public cache::ReflectorStore {
 public:
  explicit StateQueue(runtime::Runtime& runtime) : mutex_(runtime, "queue"), changed_(runtime) {}

  api::Result<void> add(const cache::Item& item) override { return update(item); }
  api::Result<void> update(const cache::Item& item) override {
    const runtime::Lock lock(mutex_);
    put({cache::object_of(item), false});
    return {};
  }
  api::Result<void> remove(const cache::Item& item) override {
    const runtime::Lock lock(mutex_);
    put({cache::object_of(item), true});
    return {};
  }
  api::Result<void> replace(std::span<const api::ObjectPtr> items,
                            const std::string& /*resource_version*/) override {
    const runtime::Lock lock(mutex_);
    std::map<std::string, api::ObjectPtr> missing = known_;
    for (const api::ObjectPtr& object : items) {
      missing.erase(api::key_of(object->metadata));
      put({object, false});
    }
    for (const auto& [key, object] : missing) {
      put({object, true});
    }
    return {};
  }
  api::Result<void> resync() override { return {}; }

  /// Waits for an object; nothing when it is closed.
  std::optional<State> take() {
    runtime::Lock lock(mutex_);
    while (keys_.empty() && !closed_) {
      changed_.wait(lock);
    }
    if (closed_) {
      return std::nullopt;
    }
    auto taken = waiting_.extract(keys_.front());
    keys_.pop_front();
    return std::move(taken.mapped());
  }
  void close() {
    const runtime::Lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  void put(State state) {
    const std::string key = api::key_of(state.object->metadata);
    if (state.deleted) {
      known_.erase(key);
    } else {
      known_[key] = state.object;
    }
    if (!waiting_.contains(key)) {
      keys_.push_back(key);
    }
    waiting_[key] = std::move(state);
    changed_.notify_all();
  }

  runtime::Mutex mutex_;
  runtime::CondVar changed_;
  std::deque<std::string> keys_;
  std::map<std::string, State> waiting_;
  std::map<std::string, api::ObjectPtr> known_;  ///< what the server has, as far as is known
  bool closed_ = false;
};

class StatePipeline final : public Pipeline {
 public:
  StatePipeline(runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source,
                Mirror& mirror, runtime::Duration work)
      : runtime_(runtime),
        mirror_(mirror),
        work_(work),
        queue_(std::make_shared<StateQueue>(runtime)),
        reflector_(runtime, std::move(source), queue_, {.api_version = "v1", .kind = "ConfigMap"}) {
  }

  void run(const runtime::StopToken& stop) override {
    const runtime::Task worker = runtime::spawn(runtime_, "worker", [this] { work(); });
    reflector_.run(stop);
    queue_->close();
    worker.join();
  }

 private:
  void work() {
    while (const std::optional<State> state = queue_->take()) {
      runtime::sleep_for(runtime_, work_);
      if (state->deleted) {
        mirror_.remove(state->object);
      } else {
        mirror_.put(state->object);
      }
    }
  }

  runtime::Runtime& runtime_;
  Mirror& mirror_;
  runtime::Duration work_;
  std::shared_ptr<StateQueue> queue_;
  cache::Reflector reflector_;
};

}  // namespace

std::unique_ptr<Pipeline> make_pipeline(runtime::Runtime& runtime,
                                        std::shared_ptr<cache::ListerWatcher> source,
                                        Mirror& mirror, runtime::Duration work) {
  return std::make_unique<StatePipeline>(runtime, std::move(source), mirror, work);
}

}  // namespace watchlab::exercise
