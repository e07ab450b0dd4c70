#include "sim/kernel/choice_stream.hpp"

#include <utility>

#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

std::uint32_t Strategy::option_of(std::uint64_t actor, std::uint32_t options) const {
  for (std::uint32_t i = 0; i < options; ++i) {
    if (scheduler().option(i).digest() == actor) {
      return i;
    }
  }
  return kAbandon;
}

/// Numbered apart from other choices and digested only where it deviates, so that schedules and
/// digests of runs without such a deviation are what they were before there was such a choice.
std::optional<std::uint32_t> ChoiceStream::choose_apart(SimTask& task, const Choice& choice) {
  const std::uint32_t index = strategy_->choose(choice);
  if (index >= choice.options) {
    return std::nullopt;
  }
  if (index != 0) {
    digest_.chose(choice.kind, choice.options, index);
    deviate(task, choice, index);
  }
  return index;
}

std::optional<std::uint32_t> ChoiceStream::choose_handover(SimTask& task, std::size_t waiters) {
  return choose_apart(task, {.kind = ChoiceKind::Handover,
                             .options = static_cast<std::uint32_t>(waiters + 1),
                             .at = &task,
                             .ordinal = Choice::kHandoversFrom + ++task.handovers,
                             .what = "to whom a mutex is handed over"});
}

std::optional<std::uint32_t> ChoiceStream::choose_to_poll_on(SimTask& task) {
  return choose_apart(task, {.kind = ChoiceKind::Value,
                             .options = 2,
                             .at = &task,
                             .ordinal = Choice::kTimedLoopsFrom + ++task.timed_loops,
                             .what = "whether a task that polls goes on"});
}

std::optional<std::uint32_t> ChoiceStream::choose_advance(SimTask& task, bool again) {
  Choice choice{.kind = ChoiceKind::Advance, .options = 2, .what = "let time pass"};
  if (!again) {
    return choose_value(task, std::move(choice));
  }
  choice.at = &task;
  choice.ordinal = Choice::kAdvancesFrom + ++task.advances;
  return choose_apart(task, choice);
}

bool ChoiceStream::continues_with_jump(const SimTask& task) {
  return !asks_alone_ ||
         strategy_->choose(
             {.kind = ChoiceKind::Advance, .options = 1, .at = &task, .what = "time passes"}) == 0;
}

}  // namespace watchlab::sim
