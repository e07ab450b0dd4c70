#pragma once

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "exercises/12-processor-listener/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

/// What the tests of your listener are made of.
namespace watchlab::exercise {

/// Notes its calls: "a@1 at 0 ms, b@2 at 1000 ms".
class Recorder final : public Handler {
 public:
  explicit Recorder(runtime::Runtime& runtime) : runtime_(runtime), begin_(runtime.now()) {}

  [[nodiscard]] bool handle(const Notification& notification) override {
    expect(!is_in_call_, "there is one call at a time");
    is_in_call_ = true;
    const std::string text = text_of(notification.object);
    const auto passed =
        std::chrono::duration_cast<std::chrono::milliseconds>(runtime_.now() - begin_);
    calls_ += (calls_.empty() ? "" : " ") + text;
    times_ += (times_.empty() ? "" : ", ") + text + " at " + std::to_string(passed.count()) + " ms";
    if (takes_ > runtime::Duration::zero()) {
      runtime::sleep_for(runtime_, takes_);
    }
    is_in_call_ = false;
    ++calls_ended_;
    return !fails_at_.contains(text);
  }

  /// Each call takes so long.
  void take(runtime::Duration time) { takes_ = time; }
  /// The call of that object in that state fails.
  void fail_at(const std::string& text) { fails_at_.insert(text); }
  /// "a@1 b@2".
  [[nodiscard]] const std::string& calls() const { return calls_; }
  [[nodiscard]] const std::string& times() const { return times_; }
  /// How many calls have come back.
  [[nodiscard]] int calls_ended() const { return calls_ended_; }

 private:
  runtime::Runtime& runtime_;
  runtime::TimePoint begin_;
  runtime::Duration takes_{};
  std::set<std::string> fails_at_;
  bool is_in_call_ = false;
  int calls_ended_ = 0;
  std::string calls_;
  std::string times_;
};

/// Has synced when the test says so.
class Source final : public Informer {
 public:
  explicit Source(runtime::Runtime& runtime) : mutex_(runtime, "informer") {}

  [[nodiscard]] bool has_synced() const override {
    const runtime::Lock lock(mutex_);
    return is_synced_;
  }
  void sync() {
    const runtime::Lock lock(mutex_);
    is_synced_ = true;
  }

 private:
  mutable runtime::Mutex mutex_;
  bool is_synced_ = false;
};

/// A listener whose `run` is running in a task, until `end`.
class Running {
 public:
  explicit Running(runtime::Runtime& runtime, runtime::Duration resync_period = {})
      : handler(runtime),
        informer(runtime),
        listener(make_listener(runtime, handler, informer, resync_period)),
        runtime_(runtime),
        run_(runtime::spawn(runtime, "run", [this] { listener->run(); })) {}

  void add(const char* name, const std::string& version, bool in_first_list = false) {
    listener->add({object(name, version), in_first_list});
  }
  /// Virtual time, until everything has happened that can.
  void wait(runtime::Duration time) { runtime::sleep_for(runtime_, time); }
  /// Waits until `run` has come back.
  void join() { run_.join(); }
  void end() {
    listener->close();
    join();
  }

  Recorder handler;
  Source informer;
  std::unique_ptr<Listener> listener;

 private:
  runtime::Runtime& runtime_;
  runtime::Task run_;
};

}  // namespace watchlab::exercise
