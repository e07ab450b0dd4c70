// What a scheduler does in a run: it asks the strategy for choices within a step, and takes the
// world down in the end.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/runtime/ensure.hpp"
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

std::uint32_t Scheduler::choose_value(ChoiceKind kind, std::size_t options, std::string_view what,
                                      std::span<const Actor* const> candidates) {
  check_caller();
  SimTask& me = *current_;
  const std::uint32_t ordinal = ++me.choices;
  const auto count = static_cast<std::uint32_t>(options);
  const std::uint32_t index =
      strategy_->choose(Choice{kind, count, &me, ordinal, what, candidates});
  if (index >= count) {
    abandon();
    return 0;
  }
  digest_ = mix(mix(digest_, count), static_cast<std::uint64_t>(kind) << 32U | index);
  if (index != 0) {
    me.pinned_ = true;
    deviations_.push_back({.at = &me, .ordinal = ordinal, .index = index, .kind = kind});
  }
  return index;
}

/// Numbered apart from other choices and digested only where it goes another way than usual, so
/// that schedules and digests of runs without a handover are what they were before there was one.
std::uint32_t Scheduler::choose_handover(std::size_t waiters) {
  if (stopping_ || unwinding()) {
    return 0;
  }
  SimTask& me = *current_;
  const std::uint32_t ordinal = Choice::kHandoversFrom + ++me.handovers;
  const auto options = static_cast<std::uint32_t>(waiters + 1);
  const std::uint32_t index = strategy_->choose(
      Choice{ChoiceKind::Handover, options, &me, ordinal, "to whom a mutex is handed over"});
  if (index >= options) {
    abandon();
    return 0;
  }
  if (index != 0) {
    digest_ =
        mix(mix(digest_, options), static_cast<std::uint64_t>(ChoiceKind::Handover) << 32U | index);
    me.pinned_ = true;
    deviations_.push_back(
        {.at = &me, .ordinal = ordinal, .index = index, .kind = ChoiceKind::Handover});
  }
  return index;
}

void Scheduler::refuse_caller() const {
  const std::string task = current_ != nullptr ? current_->identity().path() : "none";
  throw runtime::Panic(fmt::format(
      "an operation of a simulated world is called from an OS thread that is not its own; there "
      "task {} runs. Start tasks with runtime::spawn",
      task));
}

void Scheduler::abandon() {
  abandoned_ = true;
  stopping_ = true;
}

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
