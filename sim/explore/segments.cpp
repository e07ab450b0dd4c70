#include "sim/explore/segments.hpp"

#include <algorithm>

#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {
namespace {

std::size_t draw_below(RandomNumbers& numbers, std::size_t bound) {
  return numbers.below(static_cast<std::uint32_t>(bound));
}

/// Any of them, but in half of the cases one that costs a preemption.
std::size_t draw_segment(const Segments& segments, RandomNumbers& numbers) {
  std::vector<std::size_t> costly;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].interrupted) {
      costly.push_back(i);
    }
  }
  const bool any = costly.empty() || draw_below(numbers, 2) == 0;
  return any ? draw_below(numbers, segments.size()) : costly[draw_below(numbers, costly.size())];
}

void join_with_next(Segments& segments, std::size_t at) {
  const auto after = segments.begin() + static_cast<std::ptrdiff_t>(at) + 1;
  const auto next = std::find_if(after, segments.end(), [&](const Segment& other) {
    return other.actor == segments[at].actor;
  });
  if (next != segments.end()) {
    segments[at].until = next->until;
    segments.erase(next);
  }
}

void move_some(Segments& segments, std::size_t from, RandomNumbers& numbers) {
  const std::size_t all = segments.size();
  const std::size_t longest = draw_below(numbers, 2) == 0 ? 2 : all;
  const std::size_t length = 1 + draw_below(numbers, std::min(longest, all - from));
  const std::size_t to = draw_below(numbers, all - length + 1);
  const auto at = [&](std::size_t i) { return segments.begin() + static_cast<std::ptrdiff_t>(i); };
  if (to < from) {
    std::rotate(at(to), at(from), at(from + length));
  } else {
    std::rotate(at(from), at(from + length), at(to + length));
  }
}

}  // namespace

Segments changed(Segments segments, RandomNumbers& numbers) {
  if (draw_below(numbers, 2) == 0) {
    for (Segment& segment : segments) {
      segment.until = segment.interrupted ? segment.until : UINT32_MAX;
    }
  }
  const std::size_t at = draw_segment(segments, numbers);
  switch (draw_below(numbers, 4)) {
    case 0:
      segments.erase(segments.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      join_with_next(segments, at);
      break;
    default:
      move_some(segments, at, numbers);
  }
  return segments;
}

void SegmentRecorder::begin(const Scheduler& scheduler) {
  StrategyDecorator::begin(scheduler);
  last_ = nullptr;
  segments_.clear();
}

void SegmentRecorder::executed(const Actor& actor) {
  StrategyDecorator::executed(actor);
  // A task is about to carry out what it has published last; a timer counts when it fires.
  const std::uint32_t until = actor.operations() + (actor.is_task() ? 1 : 0);
  if (segments_.empty() || segments_.back().actor != actor.digest()) {
    if (last_ != nullptr) {
      segments_.back().interrupted = scheduler().is_ready(*last_);
    }
    segments_.push_back({.actor = actor.digest(), .until = until});
  } else {
    segments_.back().until = until;
  }
  const bool lives_on = actor.is_task() && actor.pending().kind != OperationKind::Exit;
  last_ = lives_on ? &actor : nullptr;
}

void SegmentStrategy::begin(const Scheduler& scheduler) {
  Strategy::begin(scheduler);
  cursor_ = 0;
  others_.begin(scheduler);
}

std::uint32_t SegmentStrategy::choose(const Choice& choice) {
  if (choice.kind != ChoiceKind::Actor) {
    return others_.choose(choice);
  }
  for (; cursor_ < segments_.size(); ++cursor_) {
    const Segment& segment = segments_[cursor_];
    for (std::uint32_t i = 0; i < choice.options; ++i) {
      const Actor& actor = scheduler().option(i);
      if (actor.digest() == segment.actor && actor.operations() < segment.until) {
        return i;
      }
    }
  }
  return 0;
}

}  // namespace watchlab::sim
