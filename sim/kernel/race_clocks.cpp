#include "sim/kernel/race_clocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/kernel/path_text.hpp"
#include "sim/kernel/sim_task.hpp"

namespace watchlab::sim {
namespace {

/// How many places of ended tasks are tried; more would cost more than a wider clock.
constexpr std::size_t kTriedMax = 8;
/// How wide clocks get. Each lock, channel and task has one, so without an end a world would take
/// memory and time with the square of its tasks.
constexpr std::uint32_t kPlacesMax = 256;

DataRace::Access of_race(const PlainAccess& access) {
  return {.task = access.task->identity().path(),
          .writes = access.kind == runtime::AccessKind::Write,
          .here = access.here,
          .step = access.step};
}

std::string describe(const DataRace::Access& access) {
  return fmt::format("{} {} it at step {} ({})", with_readable_tasks(access.task),
                     access.writes ? "writes" : "reads", access.step, place_text(access.here));
}

}  // namespace

void VectorClock::increment_further(std::size_t index) {
  if (further_ == nullptr) {
    further_ = std::make_unique<std::vector<std::uint32_t>>();
  }
  if (further_->size() <= index) {
    further_->resize(index + 1);
  }
  ++(*further_)[index];
}

bool VectorClock::equals_beside(const VectorClock& other, std::uint32_t place) const {
  const auto width = [](const VectorClock& clock) {
    return kFirst + (clock.further_ != nullptr ? clock.further_->size() : 0);
  };
  for (std::uint32_t i = 1; i < std::max(width(*this), width(other)); ++i) {
    if (i != place && at(i) != other.at(i)) {
      return false;
    }
  }
  return true;
}

void VectorClock::join_further(const VectorClock& other) {
  if (further_ == nullptr) {
    assign_further(other);
    return;
  }
  std::vector<std::uint32_t>& mine = *further_;
  mine.resize(std::max(mine.size(), other.further_->size()));
  for (std::size_t i = 0; i < other.further_->size(); ++i) {
    mine[i] = std::max(mine[i], (*other.further_)[i]);
  }
}

void VectorClock::assign_further(const VectorClock& other) {
  if (other.further_ == nullptr) {
    further_.reset();
  } else if (further_ == nullptr) {
    further_ = std::make_unique<std::vector<std::uint32_t>>(*other.further_);
  } else {
    *further_ = *other.further_;
  }
}

/// Writes are totally ordered as long as nothing races, so the last one stands for all; reads are
/// not, so each task's last one is kept until a write comes after them. (FastTrack, Flanagan and
/// Freund, PLDI 2009, keeps a full clock there.)
PlainAccess& AccessHistory::room_for_another_read(std::uint32_t place) {
  const auto same = std::find_if(reads_.begin(), reads_.end(),
                                 [&](const PlainAccess& read) { return read.place == place; });
  return same != reads_.end() ? *same : reads_.emplace_back();
}

/// At a write: a read that it does not know races with it. Reads that it knows need not be kept:
/// what races with them races with the write.
bool AccessHistory::end_reads(const VectorClock& known, PlainAccess* earlier) {
  const auto read = std::find_if(reads_.begin(), reads_.end(),
                                 [&](const PlainAccess& access) { return races(access, known); });
  const bool raced = read != reads_.end();
  if (raced && earlier != nullptr) {
    *earlier = *read;
  }
  reads_.clear();
  return raced;
}

void RaceClocks::reset() {
  on_ = false;
  places_ = 0;
  places_max_ = kPlacesMax;
  free_.clear();
}

bool RaceClocks::take_place(TaskClock& mine) {
  // A task that knows all that an ended one did may take its place: nothing that the two do can
  // race. So clocks are as wide as tasks are concurrent.
  const std::size_t tried = std::min(free_.size(), kTriedMax);
  const auto end = free_.begin() + static_cast<std::ptrdiff_t>(tried);
  const auto fit = std::find_if(free_.begin(), end, [&](const Free& place) {
    return mine.known.at(place.place) >= place.count;
  });
  if (fit != end) {
    mine.place = fit->place;
    free_.erase(fit);
  } else if (places_ < places_max_) {
    mine.place = places_++;
  } else {
    return false;
  }
  mine.known.increment(mine.place);
  return true;
}

/// What a task knows goes into the sync point, and its own entry grows: what it does from here on
/// is unknown to a task that acquires this. Where only one release may have come before (an
/// unlock), the point's clock is replaced; where several may have (`also_before`: a wait group,
/// say), they are joined.
void RaceClocks::note_release(TaskClock& mine, SyncPoint& into, bool also_before) {
  const bool replaces = !also_before || into.empty_ || covers(mine.known, into);
  if (replaces) {
    into.clock_ = mine.known;
  } else {
    into.clock_.join(mine.known);
  }
  into.empty_ = false;
  into.last_place_ = TaskClock::kNone;
  if (mine.place != TaskClock::kNone) {
    if (replaces) {
      into.last_place_ = mine.place;
      into.last_count_ = mine.known.at(mine.place);
    }
    mine.known.increment(mine.place);
  }
}

/// The entry grew with the last release, behind which the task did nothing: less one, so that a
/// task that knows that release may take the place.
void RaceClocks::retire(const TaskClock& ended) {
  if (on_ && ended.place != TaskClock::kNone) {
    free_.push_back({.place = ended.place, .count = ended.known.at(ended.place) - 1});
  }
}

DataRace race_between(const SimObject& cell, const PlainAccess& first, const PlainAccess& second) {
  return {.data = cell.describe(), .first = of_race(first), .second = of_race(second)};
}

std::string describe(const DataRace& race) {
  return fmt::format(
      "data race on {}\n  {}\n  {}\n  and no lock, channel, wait group, atomic or join orders one "
      "before the other",
      race.data, describe(race.first), describe(race.second));
}

}  // namespace watchlab::sim
