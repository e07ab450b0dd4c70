#include "sim/explore/replay_strategy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/kernel/run_result.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

ReplayStrategy::ReplayStrategy(const Schedule& schedule, Mode mode) : mode_(mode) {
  entries_.reserve(schedule.deviations.size());
  for (const ScheduledDeviation& deviation : schedule.deviations) {
    const std::string what = deviation.is_switch
                                 ? fmt::format("{} goes next at operation {} of {}", deviation.next,
                                               deviation.ordinal, deviation.at)
                                 : fmt::format("choice {} of {} takes alternative {}",
                                               deviation.ordinal, deviation.at, deviation.index);
    entries_.push_back({.is_switch = deviation.is_switch,
                        .at = digest_of_path(deviation.at),
                        .ordinal = deviation.ordinal,
                        .next = digest_of_path(deviation.next),
                        .index = deviation.index,
                        .text = what});
  }
}

void ReplayStrategy::begin(const Scheduler& scheduler) {
  Strategy::begin(scheduler);
  cursor_ = 0;
  divergence_.reset();
}

bool ReplayStrategy::fits(const Entry& entry, const Choice& choice) {
  return entry.is_switch == (choice.kind == ChoiceKind::Actor) && entry.ordinal == choice.ordinal &&
         entry.at == choice.at->digest();
}

const ReplayStrategy::Entry* ReplayStrategy::find(const Choice& choice) {
  if (mode_ == Mode::Strict) {
    if (cursor_ == entries_.size() || !fits(entries_[cursor_], choice)) {
      return nullptr;
    }
    return &entries_[cursor_++];
  }
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return fits(entry, choice); });
  return found == entries_.end() ? nullptr : &*found;
}

std::optional<std::uint32_t> ReplayStrategy::alternative(const Entry& entry,
                                                         const Choice& choice) const {
  if (!entry.is_switch) {
    return entry.index < choice.options ? std::optional(entry.index) : std::nullopt;
  }
  const std::uint32_t option = option_of(entry.next, choice.options);
  return option == kAbandon ? std::nullopt : std::optional(option);
}

std::uint32_t ReplayStrategy::choose(const Choice& choice) {
  const Entry* const entry = find(choice);
  if (entry == nullptr) {
    return 0;
  }
  const std::optional<std::uint32_t> index = alternative(*entry, choice);
  if (index || mode_ == Mode::Guided) {
    return index.value_or(0);
  }
  divergence_ = fmt::format(
      "the run does not follow the schedule: it says that {}, which is not possible at step {}",
      entry->text, scheduler().steps());
  return kAbandon;
}

void ReplayStrategy::end(const RunResult& /*result*/) {
  if (mode_ == Mode::Strict && !divergence_ && cursor_ < entries_.size()) {
    divergence_ = fmt::format(
        "the run does not follow the schedule: it ended at step {} before it came to where {}",
        scheduler().steps(), entries_[cursor_].text);
  }
}

}  // namespace watchlab::sim
