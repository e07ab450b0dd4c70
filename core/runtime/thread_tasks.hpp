#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
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
/// a long-lived runtime does not pile them up; reserved ones wait for the next task.
class ThreadTasks {
 public:
  ThreadTasks() = default;
  ThreadTasks(const ThreadTasks&) = delete;
  ThreadTasks& operator=(const ThreadTasks&) = delete;
  /// No task may be left.
  ~ThreadTasks();

  /// Keeps threads for `count` tasks at a time: while no more run, `start` cannot fail. Throws
  /// `std::system_error` when the system refuses that many, `std::bad_alloc` when it has no memory
  /// for what they allocate first.
  void reserve(std::size_t count);
  /// Gives the reserved threads back. Those that still run a task end after it.
  void release();
  /// Runs `body` on a thread of its own. It must not let an exception out. Throws
  /// `std::system_error` when the system refuses a thread; then nothing has started.
  std::shared_ptr<ThreadTask> start(std::function<void()> body);
  /// Returns when no task is left, those started meanwhile included.
  void wait_for_all();

 private:
  struct Job {
    std::shared_ptr<ThreadTask> task;
    std::function<void()> body;
  };

  void add_thread(std::optional<Job> first);
  void run(std::uint64_t id, std::optional<Job> job);
  [[nodiscard]] std::optional<Job> next_job(std::uint64_t id);
  [[nodiscard]] std::vector<std::thread> take_ended();

  std::mutex mutex_;
  std::condition_variable changed_;  // a task has ended
  std::condition_variable handed_;   // a job waits for a reserved thread, or all shall end
  std::map<std::uint64_t, std::thread> threads_;
  std::vector<std::uint64_t> ended_;
  std::deque<Job> jobs_;      // no more than there are idle threads
  std::size_t idle_ = 0;      // threads that wait for a job
  std::size_t running_ = 0;   // tasks that have not ended
  std::size_t reserved_ = 0;  // threads that are kept
  std::size_t ready_ = 0;     // those of them that have begun
  bool is_short_ = false;     // one of them got no memory
  std::uint64_t started_ = 0;
  bool ending_ = false;
};

}  // namespace watchlab::runtime
