#include "core/runtime/thread_tasks.hpp"

#include <utility>

namespace watchlab::runtime {

void ThreadTask::join(Location) {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return done_; });
}

bool ThreadTask::done(Location) {
  const std::lock_guard lock(mutex_);
  return done_;
}

void ThreadTask::end() {
  const std::lock_guard lock(mutex_);
  done_ = true;
  ended_.notify_all();
}

std::shared_ptr<ThreadTask> ThreadTasks::start(std::function<void()> body) {
  auto task = std::make_shared<ThreadTask>();
  std::vector<std::thread> ended;
  {
    const std::lock_guard lock(mutex_);
    ended = take_ended();
    const std::uint64_t id = ++started_;
    threads_.emplace(id, std::thread([this, id, task, body = std::move(body)]() mutable {
                       run(id, *task, std::move(body));
                     }));
  }
  for (std::thread& thread : ended) {
    thread.join();
  }
  return task;
}

void ThreadTasks::wait_for_all() {
  std::unique_lock lock(mutex_);
  while (!threads_.empty()) {
    changed_.wait(lock, [this] { return !ended_.empty(); });
    std::vector<std::thread> ended = take_ended();
    lock.unlock();
    for (std::thread& thread : ended) {
      thread.join();
    }
    lock.lock();
  }
}

void ThreadTasks::run(std::uint64_t id, ThreadTask& task, std::function<void()> body) {
  body();
  // What the body captured may still use the runtime, so it goes before the task counts as ended.
  body = nullptr;
  task.end();
  const std::lock_guard lock(mutex_);
  ended_.push_back(id);
  changed_.notify_all();
}

std::vector<std::thread> ThreadTasks::take_ended() {
  std::vector<std::thread> threads;
  for (const std::uint64_t id : std::exchange(ended_, {})) {
    threads.push_back(std::move(threads_.extract(id).mapped()));
  }
  return threads;
}

}  // namespace watchlab::runtime
