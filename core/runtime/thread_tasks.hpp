#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/runtime/backend.hpp"

namespace watchlab::runtime {

/// A task of `ThreadRuntime`, as its handles see it.
class ThreadTask final : public TaskBackend {
 public:
  void join(Location here) override;
  [[nodiscard]] bool done(Location here) override;
  /// Called once, by the task's own thread, when the body and all it held are gone.
  void end();

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
};

/// The threads of all tasks of a `ThreadRuntime`. Ended ones are joined at the next start, so that
/// a long-lived runtime does not pile them up.
class ThreadTasks {
 public:
  ThreadTasks() = default;
  ThreadTasks(const ThreadTasks&) = delete;
  ThreadTasks& operator=(const ThreadTasks&) = delete;

  /// Runs `body` on a thread of its own. It must not let an exception out.
  std::shared_ptr<ThreadTask> start(std::function<void()> body);
  /// Returns when no task is left, those started meanwhile included.
  void wait_for_all();

 private:
  void run(std::uint64_t id, ThreadTask& task, std::function<void()> body);
  [[nodiscard]] std::vector<std::thread> take_ended();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, std::thread> threads_;
  std::vector<std::uint64_t> ended_;
  std::uint64_t started_ = 0;
};

}  // namespace watchlab::runtime
