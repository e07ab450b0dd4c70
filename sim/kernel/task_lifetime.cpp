#include "sim/kernel/task_lifetime.hpp"

#include <algorithm>
#include <utility>

#if defined(WATCHLAB_ASAN)
#include <sanitizer/lsan_interface.h>
#endif

namespace watchlab::sim {
namespace {

#if defined(WATCHLAB_ASAN)
/// What the frames of a leaked task refer to is leaked on purpose: the leak checker is shown each
/// word from where the stack stood up to its top. Nothing is copied to be looked at later, because
/// a search leaks tasks by the hundred thousand. Words between frames may be poisoned.
__attribute__((no_sanitize("address"))) void show_to_leak_checker(const SimTask& task) {
  const auto* word = *static_cast<void* const* const*>(task.fiber.context());
  const auto* const top = reinterpret_cast<void* const*>(task.stack.top());
  for (; word < top; ++word) {
    __lsan_ignore_object(*word);
  }
}

#endif

}  // namespace

void TaskLifetime::begin(SimTask& task, void (*entry)(void*)) {
  task.number = spawned_++;
  task.stack = stacks_.take();
  task.fiber.prepare(task.stack, entry, &task);
  ++live_;
}

void TaskLifetime::end(const SimTask& task, runtime::TimePoint grace_until) {
  --live_;
  if (task.number == 0) {
    root_ended_ = true;
    grace_until_ = grace_until;
  }
}

void TaskLifetime::retire(std::shared_ptr<SimTask> ended) {
  if (ended->has_spawned && live_ > 0 && kept_stacks_.size() < kKeptStacksMax) {
    kept_stacks_.push_back(ended->stack);
  } else {
    stacks_.give_back(ended->stack);
  }
  const bool is_kept = ended->pinned() || ended->locks_held > 0;
  (is_kept ? ended_.emplace_back() : last_ended_) = std::move(ended);
}

void TaskLifetime::drop(SimTask& task) {
#if defined(WATCHLAB_ASAN)
  if (task.state == SimTask::State::Started) {
    show_to_leak_checker(task);
  }
#endif
  task.state = SimTask::State::Ended;
  task.killed = true;
  task.fiber.forget();
  stacks_.give_back(task.stack);
}

std::vector<std::shared_ptr<SimTask>> TaskLifetime::in_order_of_death(const ReadySet& actors) {
  std::vector<std::shared_ptr<SimTask>> tasks;
  for (const Actor* const actor : actors.actors()) {
    const std::shared_ptr<SimTask>& task = actors.task_at(actor->slot());
    if (task != nullptr && task->state != SimTask::State::Ended) {
      tasks.push_back(task);
    }
  }
  std::sort(tasks.begin(), tasks.end(),
            [](const auto& a, const auto& b) { return a->number > b->number; });
  return tasks;
}

bool TaskLifetime::has_ended_ancestor(const SimTask& task) {
  for (auto creator = task.identity().creator; creator; creator = creator->identity().creator) {
    if (creator->state == SimTask::State::Ended) {
      return true;
    }
  }
  return false;
}

bool TaskLifetime::has_descendant(const ReadySet& actors, const SimTask& task) {
  const std::vector<std::shared_ptr<SimTask>> tasks = in_order_of_death(actors);
  return std::any_of(tasks.begin(), tasks.end(), [&](const auto& other) {
    const SimTask* creator = other->identity().creator.get();
    while (creator != nullptr && creator != &task) {
      creator = creator->identity().creator.get();
    }
    return creator == &task;
  });
}

void TaskLifetime::reset() {
  ended_.clear();
  last_ended_.reset();
  while (!retired_.empty()) {
    // What is retired may own more that is to be retired.
    const std::unique_ptr<SimObject> object = std::move(retired_.back());
    retired_.pop_back();
  }
  for (const Stack& stack : kept_stacks_) {
    stacks_.give_back(stack);
  }
  kept_stacks_.clear();
  spawned_ = 0;
  live_ = 0;
  held_open_ = 0;
  root_ended_ = false;
}

}  // namespace watchlab::sim
