#include "core/runtime/thread_tasks.hpp"

#include <new>
#include <utility>

namespace watchlab::runtime {
namespace {

constexpr std::size_t kFirstBlock = 1024;

}  // namespace

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

ThreadTasks::~ThreadTasks() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    handed_.notify_all();
  }
  for (auto& [id, thread] : threads_) {
    thread.join();
  }
}

void ThreadTasks::reserve(std::size_t count) {
  std::unique_lock lock(mutex_);
  reserved_ = count;
  std::size_t wanted = ready_;
  for (; threads_.size() - ended_.size() < count; ++wanted) {
    add_thread(std::nullopt);
  }
  changed_.wait(lock, [&] { return ready_ == wanted; });
  if (is_short_) {
    throw std::bad_alloc();
  }
}

void ThreadTasks::release() {
  std::unique_lock lock(mutex_);
  reserved_ = 0;
  handed_.notify_all();
  changed_.wait(lock, [this] { return idle_ == 0; });
  std::vector<std::thread> ended = take_ended();
  lock.unlock();
  for (std::thread& thread : ended) {
    thread.join();
  }
}

/// With the lock held. A thread without a job waits for one, and counts as idle at once.
void ThreadTasks::add_thread(std::optional<Job> first) {
  const std::uint64_t id = ++started_;
  const bool is_idle = !first;
  const auto place = threads_.try_emplace(id).first;
  try {
    place->second =
        std::thread([this, id, job = std::move(first)]() mutable { run(id, std::move(job)); });
  } catch (...) {
    threads_.erase(place);
    throw;
  }
  idle_ += is_idle ? 1 : 0;
}

std::shared_ptr<ThreadTask> ThreadTasks::start(std::function<void()> body) {
  auto task = std::make_shared<ThreadTask>();
  std::vector<std::thread> ended;
  {
    const std::lock_guard lock(mutex_);
    ended = take_ended();
    if (idle_ > jobs_.size()) {
      jobs_.push_back({task, std::move(body)});
      handed_.notify_one();
    } else {
      add_thread(Job{task, std::move(body)});
    }
    ++running_;
  }
  for (std::thread& thread : ended) {
    thread.join();
  }
  return task;
}

void ThreadTasks::wait_for_all() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return running_ == 0; });
  std::vector<std::thread> ended = take_ended();
  lock.unlock();
  for (std::thread& thread : ended) {
    thread.join();
  }
}

void ThreadTasks::run(std::uint64_t id, std::optional<Job> job) {
  // An allocator gives each thread a heap of its own with the first block. A reserved thread takes
  // it now, and keeps it.
  const std::unique_ptr<char[]> block(job ? nullptr : new (std::nothrow) char[kFirstBlock]);
  if (!job) {
    const std::lock_guard lock(mutex_);
    ++ready_;
    is_short_ = is_short_ || block == nullptr;
    changed_.notify_all();
  }
  while (job || (job = next_job(id))) {
    job->body();
    // What the body captured may still use the runtime, so it goes before the task counts as ended.
    job->body = nullptr;
    job->task->end();
    job.reset();
    const std::lock_guard lock(mutex_);
    --running_;
    changed_.notify_all();
    if (threads_.size() - ended_.size() > reserved_) {
      ended_.push_back(id);
      return;
    }
    ++idle_;
  }
}

/// Waits for a job; nothing when this thread or all shall end.
std::optional<ThreadTasks::Job> ThreadTasks::next_job(std::uint64_t id) {
  std::unique_lock lock(mutex_);
  handed_.wait(lock, [this] { return ending_ || reserved_ == 0 || !jobs_.empty(); });
  --idle_;
  if (jobs_.empty()) {
    if (!ending_) {
      ended_.push_back(id);
      changed_.notify_all();
    }
    return std::nullopt;
  }
  Job job = std::move(jobs_.front());
  jobs_.pop_front();
  return job;
}

std::vector<std::thread> ThreadTasks::take_ended() {
  std::vector<std::thread> threads;
  for (const std::uint64_t id : std::exchange(ended_, {})) {
    threads.push_back(std::move(threads_.extract(id).mapped()));
  }
  return threads;
}

}  // namespace watchlab::runtime
