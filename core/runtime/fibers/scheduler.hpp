#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/runtime/backend.hpp"
#include "core/runtime/fibers/diagnosis.hpp"
#include "core/runtime/fibers/event_loop.hpp"
#include "core/runtime/fibers/stack_pool.hpp"
#include "core/runtime/fibers/switch.hpp"
#include "core/runtime/fibers/timers.hpp"
#include "core/runtime/fibers/waiting.hpp"
#include "core/runtime/thread_random.hpp"

namespace watchlab::runtime {

class FiberScheduler;
class FiberWorker;
class Runtime;

/// A task of `FiberRuntime`, as its handles see it.
class FiberHandle final : public TaskBackend {
 public:
  void join(Location here) override;
  [[nodiscard]] bool done(Location here) override;
  /// Called once, when the body and all it held are gone.
  void end();

 private:
  std::atomic<bool> done_ = false;
  SpinLock lock_;
  WaitQueue joining_;
};

/// A task of `FiberRuntime`: its line of execution and what it needs while it runs. Recycled.
class FiberTask {
 public:
  enum class State : std::uint8_t { Free, Ready, Running, Waiting };

  /// Of its stack, rounded up to whole pages.
  [[nodiscard]] std::size_t stack_kib() const { return (stack.size + 4095) / 4096 * 4; }

  Fiber fiber;
  FiberScheduler* scheduler = nullptr;
  FiberTask* next = nullptr;  ///< in the queue or the list of free ones in which it is
  Stack stack;
  State state = State::Free;  ///< for debuggers
  Location waits_at;          ///< the operation in which it waits, or waited last
  std::string name;
  std::function<void()> body;
  std::shared_ptr<FiberHandle> handle;
};

/// Tasks in the order of their coming, linked through `FiberTask::next`.
class TaskQueue {
 public:
  void push(FiberTask& task) {
    task.next = nullptr;
    (last_ == nullptr ? first_ : last_->next) = &task;
    last_ = &task;
  }
  [[nodiscard]] FiberTask* pop() {
    FiberTask* const task = first_;
    if (task != nullptr) {
      first_ = task->next;
      last_ = first_ == nullptr ? nullptr : last_;
    }
    return task;
  }

 private:
  FiberTask* first_ = nullptr;
  FiberTask* last_ = nullptr;
};

struct FiberSchedulerOptions {
  std::size_t threads = 1;
  std::size_t stack_size = 0;
  std::uint64_t seed = 1;
  /// Runs the body of a task and lets no exception out.
  std::function<void(FiberTask&)> run_body;
};

/// Runs fibers on a few OS threads, its workers. Each has a queue of its own: a slot for the task
/// that was woken last, which runs next, and a ring for the others, from which idle workers steal
/// half. What threads that are no workers wake, and what finds the ring full, goes into one global
/// queue, at which each worker looks in turn. An idle worker runs the event loop until the next
/// timer is due; one that wakes a task while others are idle wakes one of these.
///
/// A task keeps its worker until it waits or ends. Mirrors the shape of Go's scheduler, without
/// preemption.
class FiberScheduler {
 public:
  FiberScheduler(Runtime& runtime, const ThreadClock& clock, FiberSchedulerOptions options);
  FiberScheduler(const FiberScheduler&) = delete;
  FiberScheduler& operator=(const FiberScheduler&) = delete;
  /// All tasks must have ended.
  ~FiberScheduler();

  /// Any thread may call it.
  std::shared_ptr<FiberHandle> spawn(std::string_view name, std::function<void()> body);
  /// Blocks the calling thread, which must not be a worker, until no task is left.
  void wait_for_all();

  /// Makes a task run that waits, as soon as may be. Any thread may call it.
  void ready(FiberTask& task);
  /// Leaves the calling task; the locks are released behind it.
  static void park(SpinLock* const* locks, std::size_t count);
  /// Lets others go first; on a thread that is no worker, other threads.
  static void yield();
  /// The task that calls; null on a thread on which no task runs.
  [[nodiscard]] static FiberTask* current();
  /// Whether the calling thread is a worker, of whichever runtime.
  [[nodiscard]] static bool on_worker();
  /// Below `bound`, which is at least 1.
  [[nodiscard]] std::size_t draw(std::size_t bound);

  [[nodiscard]] FiberTimers& timers() { return timers_; }
  [[nodiscard]] EventLoop& event_loop() { return event_loop_; }
  /// Makes an idle worker look for work, if there is one.
  void wake_idle();

 private:
  friend class FiberWorker;

  [[nodiscard]] FiberTask& take_free(FiberWorker* worker);
  void recycle(FiberWorker& worker, FiberTask& task);
  void inject(FiberTask& task);
  [[nodiscard]] FiberTask* take_injected();
  void ended(FiberWorker& worker, FiberTask& task);
  static void enter(void* argument);

  Runtime& runtime_;
  const FiberSchedulerOptions options_;
  FiberTimers timers_;
  EventLoop event_loop_;
  ThreadRandom random_;  ///< for threads that are no workers

  SpinLock global_lock_;
  TaskQueue global_;  ///< guarded by global_lock_
  std::atomic<std::size_t> global_size_ = 0;

  SpinLock pool_lock_;
  StackPool stacks_;                               ///< guarded by pool_lock_
  std::vector<std::unique_ptr<FiberTask>> tasks_;  ///< all that ever were; guarded by pool_lock_
  FiberTask* free_ = nullptr;                      ///< guarded by pool_lock_
  DebuggerEntry for_debuggers_{tasks_};

  /// Workers asleep in the event loop, less those to which a wake-up is on its way.
  std::atomic<int> idle_ = 0;
  std::atomic<int> searching_ = 0;  ///< workers that look for work at others'
  std::atomic<bool> stopping_ = false;

  std::atomic<std::size_t> alive_ = 0;
  std::mutex ended_mutex_;
  std::condition_variable all_ended_;

  std::vector<std::unique_ptr<FiberWorker>> workers_;
  std::vector<std::thread> threads_;
};

}  // namespace watchlab::runtime
