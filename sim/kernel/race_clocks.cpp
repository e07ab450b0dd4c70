#include "sim/kernel/race_clocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/kernel/place_text.hpp"
#include "sim/kernel/sim_task.hpp"

namespace watchlab::sim {
namespace {

/// How many places of ended tasks are tried; more would cost more than a wider clock.
constexpr std::size_t kTriedMax = 8;
/// How wide clocks get. Each lock, channel and task has one, so without an end a world would take
/// memory and time with the square of its tasks.
constexpr std::uint32_t kPlacesMax = 256;
constexpr std::size_t kRoom = 16;  ///< so that a clock rarely grows twice

std::uint32_t entry(const VectorClock& clock, std::uint32_t place) {
  return place < clock.size() ? clock[place] : 0;
}

std::string describe(const PlainAccess& access) {
  return fmt::format("{} {} it at step {} ({})", access.task->identity().path(),
                     access.kind == runtime::AccessKind::Read ? "reads" : "writes", access.step,
                     place_text(access.here));
}

}  // namespace

std::optional<PlainAccess> AccessHistory::add(const PlainAccess& access, const VectorClock& known) {
  const auto races = [&](const PlainAccess& earlier) {
    return entry(known, earlier.place) < earlier.count;
  };
  std::optional<PlainAccess> found;
  if (write_ && races(*write_)) {
    found = write_;
  }
  if (access.kind == runtime::AccessKind::Read) {
    const auto same = std::find_if(reads_.begin(), reads_.end(), [&](const PlainAccess& read) {
      return read.place == access.place;
    });
    if (same != reads_.end()) {
      *same = access;
    } else {
      reads_.push_back(access);
    }
    return found;
  }
  const auto read = std::find_if(reads_.begin(), reads_.end(), races);
  if (!found && read != reads_.end()) {
    found = *read;
  }
  reads_.clear();
  write_ = access;
  return found;
}

void RaceClocks::reset() {
  on_ = false;
  places_ = 0;
  free_.clear();
}

void RaceClocks::join(VectorClock& into, const VectorClock& from) {
  if (into.size() < from.size()) {
    into.reserve(std::max<std::size_t>(from.size(), kRoom));
    into.resize(from.size());
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    into[i] = std::max(into[i], from[i]);
  }
}

void RaceClocks::take_place(TaskClock& mine) {
  // Whoever knows all that an ended task did may go on in its place: nothing that the two do can
  // race. So clocks are as wide as tasks are concurrent.
  const std::size_t tried = std::min(free_.size(), kTriedMax);
  const auto end = free_.begin() + static_cast<std::ptrdiff_t>(tried);
  const auto fit = std::find_if(free_.begin(), end, [&](const Free& place) {
    return entry(mine.known, place.place) >= place.count;
  });
  if (fit != end) {
    mine.place = fit->place;
    free_.erase(fit);
  } else if (places_ < kPlacesMax) {
    mine.place = places_++;
  } else {
    return;
  }
  if (mine.known.size() <= mine.place) {
    mine.known.resize(mine.place + 1);
  }
  ++mine.known[mine.place];
}

void RaceClocks::note_release(TaskClock& mine, SyncPoint& into, bool also_before) {
  if (also_before) {
    join(into.clock_, mine.known);
  } else {
    into.clock_ = mine.known;
  }
  if (mine.place != TaskClock::kNone) {
    ++mine.known[mine.place];
  }
}

void RaceClocks::retire(const TaskClock& ended) {
  if (on_ && ended.place != TaskClock::kNone) {
    free_.push_back({.place = ended.place, .count = ended.known[ended.place] - 1});
  }
}

std::optional<PlainAccess> RaceClocks::check(TaskClock& mine, PlainAccess& access,
                                             AccessHistory& history) {
  on_ = true;
  if (mine.place == TaskClock::kNone) {
    take_place(mine);
  }
  if (mine.place == TaskClock::kNone) {
    return std::nullopt;  // one task too many: its accesses are not looked at
  }
  access.place = mine.place;
  access.count = mine.known[mine.place];
  return history.add(access, mine.known);
}

std::string describe_race(const SimObject& cell, const PlainAccess& first,
                          const PlainAccess& second) {
  return fmt::format(
      "data race on {}\n  {}\n  {}\n  and no lock, channel, wait group, atomic or join orders one "
      "before the other",
      cell.describe(), describe(first), describe(second));
}

}  // namespace watchlab::sim
