// Breaks: there is no queue before the store, and what a list only repeats is not delivered.
#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/cache/reflector.hpp"
#include "core/cache/store.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/task.hpp"
#include "exercises/11-many-handlers/subject.hpp"

namespace watchlab::exercise {
namespace {

using api::ObjectPtr;
using runtime::Duration;
using runtime::Lock;
using runtime::TimePoint;

/// One call of a handler. Without a state before it is an add, without one after it a delete.
struct Call {
  ObjectPtr before;
  ObjectPtr after;
  bool was_there = false;
  bool was_missed = false;
};

/// What waits for one handler, and the task that calls it.
class Line {
 public:
  Line(runtime::Runtime& runtime, Handler& handler, Duration period_in)
      : period(period_in),
        next_resync(runtime.now() + period_in),
        handler_(handler),
        mutex_(runtime),
        changed_(runtime),
        state_(runtime, {}) {}

  /// Of the informer, under its lock.
  const Duration period;
  TimePoint next_resync;

  void push(const Call& call) {
    const Lock lock(mutex_);
    State& state = state_.write();
    if (!state.is_closed) {
      state.calls.push_back(call);
      state.first_ones += call.was_there ? 1 : 0;
      changed_.notify_one();
    }
  }
  void close() {
    const Lock lock(mutex_);
    state_.write().is_closed = true;
    changed_.notify_one();
  }
  [[nodiscard]] bool has_come_back() const {
    const Lock lock(mutex_);
    return state_.read().first_ones == 0;
  }
  void work() {
    while (const std::optional<Call> call = next()) {
      deliver(*call);
      finish(*call);
    }
  }

 private:
  struct State {
    std::deque<Call> calls;
    std::int64_t first_ones = 0;  ///< adds of what was there that the handler is not back from
    bool is_closed = false;
  };

  std::optional<Call> next() {
    Lock lock(mutex_);
    while (state_.read().calls.empty() && !state_.read().is_closed) {
      changed_.wait(lock);
    }
    State& state = state_.write();
    if (state.is_closed) {
      return std::nullopt;
    }
    Call call = std::move(state.calls.front());
    state.calls.pop_front();
    return call;
  }
  void deliver(const Call& call) {
    if (call.before == nullptr) {
      handler_.on_add(call.after, call.was_there);
    } else if (call.after == nullptr) {
      handler_.on_delete(call.before, call.was_missed);
    } else {
      handler_.on_update(call.before, call.after);
    }
  }
  void finish(const Call& call) {
    const Lock lock(mutex_);
    state_.write().first_ones -= call.was_there ? 1 : 0;
  }

  Handler& handler_;
  mutable runtime::Mutex mutex_;
  runtime::CondVar changed_;
  runtime::Shared<State> state_;
};

/// The store and the lines, which change together: the reflector writes here.
class Inside final : public cache::ReflectorStore {
 public:
  explicit Inside(runtime::Runtime& runtime)
      : runtime_(runtime), mutex_(runtime), state_(runtime, {}) {}

  api::Result<void> add(const cache::Item& item) override { return update(item); }
  api::Result<void> update(const cache::Item& item) override {
    const Lock lock(mutex_);
    put(cache::object_of(item), false);
    return {};
  }
  api::Result<void> remove(const cache::Item& item) override {
    const Lock lock(mutex_);
    State& state = state_.write();
    const ObjectPtr last = cache::object_of(item);
    if (state.objects.erase(api::key_of(last->metadata)) != 0) {
      notify({.before = last});
    }
    return {};
  }
  api::Result<void> replace(std::span<const ObjectPtr> items,
                            const std::string& /*resource_version*/) override {
    const Lock lock(mutex_);
    State& state = state_.write();
    std::map<std::string, ObjectPtr> missing = state.objects;
    for (const ObjectPtr& object : items) {
      missing.erase(api::key_of(object->metadata));
      put(object, !state.is_synced);
    }
    for (const auto& [key, last] : missing) {
      state.objects.erase(key);
      notify({.before = last, .was_missed = true});
    }
    state.is_synced = true;
    return {};
  }
  api::Result<void> resync() override {
    const Lock lock(mutex_);
    const TimePoint now = runtime_.now();
    State& state = state_.write();
    for (const auto& line : state.lines) {
      if (line->period > Duration::zero() && line->next_resync <= now) {
        line->next_resync = now + line->period;
        for (const auto& [key, object] : state.objects) {
          line->push({.before = object, .after = object});
        }
      }
    }
    return {};
  }

  /// Null once the informer has stopped.
  std::shared_ptr<Line> join(Handler& handler, Duration period) {
    const Lock lock(mutex_);
    State& state = state_.write();
    if (state.is_stopped) {
      return nullptr;
    }
    auto line = std::make_shared<Line>(runtime_, handler, period);
    for (const auto& [key, object] : state.objects) {
      line->push({.after = object, .was_there = true});
    }
    state.lines.push_back(line);
    if (state.is_running) {
      start(line);
    }
    return line;
  }
  void leave(const std::shared_ptr<Line>& line) {
    const Lock lock(mutex_);
    std::erase(state_.write().lines, line);
    line->close();
  }
  /// Starts the tasks of all lines; the shortest period that one asked for, or zero.
  Duration start_all() {
    const Lock lock(mutex_);
    State& state = state_.write();
    state.is_running = true;
    Duration shortest{};
    for (const auto& line : state.lines) {
      start(line);
      const bool is_shorter = line->period > Duration::zero() &&
                              (shortest == Duration::zero() || line->period < shortest);
      shortest = is_shorter ? line->period : shortest;
    }
    return shortest;
  }
  void end_all() {
    std::vector<runtime::Task> tasks;
    {
      const Lock lock(mutex_);
      State& state = state_.write();
      state.is_stopped = true;
      for (const auto& line : state.lines) {
        line->close();
      }
      state.lines.clear();
      tasks.swap(state.tasks);
    }
    for (const runtime::Task& task : tasks) {
      task.join();
    }
  }
  [[nodiscard]] bool is_synced() const {
    const Lock lock(mutex_);
    return state_.read().is_synced;
  }
  [[nodiscard]] ObjectPtr get(const std::string& key) const {
    const Lock lock(mutex_);
    const auto found = state_.read().objects.find(key);
    return found == state_.read().objects.end() ? nullptr : found->second;
  }

 private:
  struct State {
    std::map<std::string, ObjectPtr> objects;
    std::vector<std::shared_ptr<Line>> lines;
    std::vector<runtime::Task> tasks;
    bool is_synced = false;
    bool is_running = false;
    bool is_stopped = false;
  };

  // The lock must be held for these.
  void put(const ObjectPtr& object, bool was_there) {
    ObjectPtr& stored = state_.write().objects[api::key_of(object->metadata)];
    const ObjectPtr before = std::exchange(stored, object);
    const bool is_news =
        before == nullptr || before->metadata.resource_version != object->metadata.resource_version;
    if (is_news) {
      notify({.before = before, .after = object, .was_there = was_there});
    }
  }
  void notify(const Call& call) {
    for (const auto& line : state_.read().lines) {
      line->push(call);
    }
  }
  void start(const std::shared_ptr<Line>& line) {
    state_.write().tasks.push_back(runtime::spawn(runtime_, "handler", [line] { line->work(); }));
  }

  runtime::Runtime& runtime_;
  mutable runtime::Mutex mutex_;
  runtime::Shared<State> state_;
};

class PlacedHandler final : public Registration {
 public:
  PlacedHandler(std::shared_ptr<Inside> inside, std::shared_ptr<Line> line)
      : inside_(std::move(inside)), line_(std::move(line)) {}

  [[nodiscard]] bool has_synced() const override {
    return line_ != nullptr && inside_->is_synced() && line_->has_come_back();
  }
  void remove() override {
    if (line_ != nullptr) {
      inside_->leave(line_);
    }
  }

 private:
  std::shared_ptr<Inside> inside_;
  std::shared_ptr<Line> line_;
};

class PlainInformer final : public Informer {
 public:
  PlainInformer(runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source)
      : runtime_(runtime), source_(std::move(source)), inside_(std::make_shared<Inside>(runtime)) {}

  void run(const runtime::StopToken& stop) override {
    const Duration period = inside_->start_all();
    cache::Reflector reflector(runtime_, source_, inside_,
                               {.api_version = "v1", .kind = "ConfigMap", .resync_period = period});
    reflector.run(stop);
    inside_->end_all();
  }
  [[nodiscard]] std::unique_ptr<Registration> add_handler(Handler& handler,
                                                          Duration resync_period) override {
    return std::make_unique<PlacedHandler>(inside_, inside_->join(handler, resync_period));
  }
  [[nodiscard]] bool has_synced() const override { return inside_->is_synced(); }
  [[nodiscard]] ObjectPtr get(const std::string& key) const override { return inside_->get(key); }

 private:
  runtime::Runtime& runtime_;
  std::shared_ptr<cache::ListerWatcher> source_;
  std::shared_ptr<Inside> inside_;
};

}  // namespace

std::unique_ptr<Informer> make_informer(runtime::Runtime& runtime,
                                        std::shared_ptr<cache::ListerWatcher> source) {
  return std::make_unique<PlainInformer>(runtime, std::move(source));
}

}  // namespace watchlab::exercise
