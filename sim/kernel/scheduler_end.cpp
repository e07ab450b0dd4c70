// How a scheduler takes a world down: who ends when, and who is left alone.
#include <algorithm>
#include <cstring>

#include "sim/kernel/scheduler.hpp"

#if defined(WATCHLAB_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#endif

namespace watchlab::sim {
namespace {

constexpr std::uint32_t kLastOperationsMax = 1000;

/// Whether a task that started `task`, directly or not, has ended.
bool has_ended_ancestor(const SimTask& task) {
  for (auto creator = task.identity().creator; creator; creator = creator->identity().creator) {
    if (creator->state == SimTask::State::Ended) {
      return true;
    }
  }
  return false;
}

#if defined(WATCHLAB_ASAN)
/// What the frames of a leaked task refer to is leaked on purpose: a copy of the frames stays where
/// the leak checker looks for references.
void show_to_leak_checker(const Stack& stack) {
  constexpr std::size_t kLooked = std::size_t{64} * 1024;
  std::byte* const frames = stack.top() - kLooked;
  __asan_unpoison_memory_region(frames, kLooked);
  auto* const copy = new std::byte[kLooked];
  std::memcpy(copy, frames, kLooked);
  __lsan_ignore_object(copy);
}

#endif

}  // namespace

void Scheduler::await_the_end() {
  if (!killing_) {
    Fiber::switch_over(current_->fiber, main_, exceptions_);
  }
}

void Scheduler::drop(SimTask& task) {
#if defined(WATCHLAB_ASAN)
  if (task.state == SimTask::State::Started) {
    show_to_leak_checker(task.stack);
  }
#endif
  task.state = SimTask::State::Ended;
  task.killed = true;
  task.fiber.forget();
  stacks_.give_back(task.stack);
}

void Scheduler::kill_all() {
  stopping_ = killing_ = true;
  deadlines_.clear();  // who waits for one dies now
  std::vector<std::shared_ptr<SimTask>> tasks;
  for (const Slot& slot : slots_) {
    if (slot.task != nullptr && slot.task->state != SimTask::State::Ended) {
      tasks.push_back(slot.task);
    }
  }
  std::sort(tasks.begin(), tasks.end(),
            [](const auto& a, const auto& b) { return a->number > b->number; });
  for (const std::shared_ptr<SimTask>& task : tasks) {
    current_ = task.get();
    if (task->state == SimTask::State::NotStarted) {
      task->body = nullptr;
      drop(*task);
    } else if ((failure_ || abandoned_) && has_ended_ancestor(*task)) {
      // It may use what lay in the frames of the one who died, so it cannot unwind: it is leaked.
      drop(*task);
    } else {
      Fiber::switch_over(main_, task->fiber, exceptions_);
    }
  }
}

bool Scheduler::count_last_operation() {
  check_caller();
  await_the_end();
  if (++current_->last_operations > kLastOperationsMax) {
    end_wait();
  }
  return true;
}

void Scheduler::end_wait() {
  await_the_end();
  if (exceptions_->uncaught == 0) {
    throw runtime::TaskKilled();
  }
}

}  // namespace watchlab::sim
