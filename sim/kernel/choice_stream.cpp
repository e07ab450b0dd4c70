#include "sim/kernel/choice_stream.hpp"

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

std::optional<std::uint32_t> ChoiceStream::choose_value(SimTask& task, Choice choice) {
  choice.at = &task;
  choice.ordinal = ++task.choices;
  const std::uint32_t index = strategy_->choose(choice);
  if (index >= choice.options) {
    return std::nullopt;
  }
  digest_.chose(choice.kind, choice.options, index);
  if (index != 0) {
    task.pin();
    deviations_.push_back(
        {.at = &task, .ordinal = choice.ordinal, .index = index, .kind = choice.kind});
  }
  return index;
}

/// Numbered apart from other choices and digested only where it deviates, so that schedules and
/// digests of runs without a handover are what they were before there was one.
std::optional<std::uint32_t> ChoiceStream::choose_handover(SimTask& task, std::size_t waiters) {
  const std::uint32_t ordinal = Choice::kHandoversFrom + ++task.handovers;
  const auto options = static_cast<std::uint32_t>(waiters + 1);
  const std::uint32_t index = strategy_->choose(
      Choice{ChoiceKind::Handover, options, &task, ordinal, "to whom a mutex is handed over"});
  if (index >= options) {
    return std::nullopt;
  }
  if (index != 0) {
    digest_.chose(ChoiceKind::Handover, options, index);
    task.pin();
    deviations_.push_back(
        {.at = &task, .ordinal = ordinal, .index = index, .kind = ChoiceKind::Handover});
  }
  return index;
}

}  // namespace watchlab::sim
