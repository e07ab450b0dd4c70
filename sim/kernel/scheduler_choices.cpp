// Choices within a step: what the strategy is asked, and what is recorded of its answer.
#include <fmt/format.h>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

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

}  // namespace watchlab::sim
