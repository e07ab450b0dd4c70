#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/backend.hpp"
#include "sim/kernel/actor_set.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/race_clocks.hpp"
#include "sim/kernel/sim_object.hpp"
#include "sim/kernel/spinning.hpp"
#include "sim/kernel/virtual_clock.hpp"

namespace watchlab::sim {

/// Counts how often each digest has occurred. Most tasks make objects of only a few kinds and
/// names, whose counts are stored in the task itself; other tasks use a table.
class Occurrences {
 public:
  /// How often this digest has occurred, including this time.
  std::uint32_t next(std::uint64_t digest) {
    for (std::size_t i = 0; i < used_; ++i) {
      if (first_[i].digest == digest) {
        return ++first_[i].count;
      }
    }
    if (used_ < kFirst) {
      first_[used_++] = {.digest = digest, .count = 1};
      return 1;
    }
    return ++further_[digest];
  }

 private:
  static constexpr std::size_t kFirst = 8;

  struct Count {
    std::uint64_t digest;
    std::uint32_t count;
  };

  std::array<Count, kFirst> first_;
  std::size_t used_ = 0;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> further_;
};

struct PendingSelect;

/// How fences change a task's relaxed accesses.
struct FenceClocks {
  SyncPoint seen;    ///< what relaxed reads have seen; an acquire fence acquires it
  SyncPoint fenced;  ///< what a release fence has released; later relaxed writes pass it on
};

/// A task of a simulated world: a fiber with an identity. Everything except its backend interface
/// is for the scheduler and the primitives.
class SimTask final : public runtime::TaskBackend, public Actor {
 public:
  enum class State : std::uint8_t { NotStarted, Started, Ended };

  SimTask(Scheduler& scheduler, Identity&& identity, runtime::Location made)
      : Actor(scheduler, std::move(identity), made, true) {
    deadline.actor = this;
  }

  void join(runtime::Location here) override;
  [[nodiscard]] bool done(runtime::Location here) override;
  [[nodiscard]] std::vector<const SimTask*> releasers(const SimTask& task) const override;
  [[nodiscard]] bool is_released_by_holder() const override { return true; }

  /// Whether it ended by itself in a running world. A task that joined a killed one would rely on
  /// what it never did.
  [[nodiscard]] bool has_ended_by_itself() const { return state == State::Ended && !killed; }

  /// Made on demand, because few tasks need them.
  [[nodiscard]] FenceClocks& fence_clocks() {
    if (fences_ == nullptr) {
      fences_ = std::make_unique<FenceClocks>();
    }
    return *fences_;
  }

  std::function<void()> body;
  Fiber fiber;
  Stack stack;
  State state = State::NotStarted;
  bool killed = false;                ///< it ended because its world did, or made its world end
  bool has_spawned = false;           ///< it has started other tasks
  bool lost = false;                  ///< it called `std::terminate` and cannot be unwound
  std::string label;                  ///< what it is doing, for narration
  std::uint64_t number = 0;           ///< in spawning order
  std::uint32_t choices = 0;          ///< data choices it has had
  std::uint32_t handovers = 0;        ///< choices to whom it hands over a mutex
  std::uint32_t advances = 0;         ///< early time jumps that followed another one
  std::uint32_t timed_loops = 0;      ///< choices whether it goes on polling with the clock
  std::uint32_t last_operations = 0;  ///< in a stopping world
  Deadline deadline;                  ///< of a sleep or a timed wait
  PendingSelect* select = nullptr;    ///< while it sends, receives or selects
  std::string met_at;                 ///< the channel of its last rendezvous, in a recorded run
  SimObject* releases = nullptr;      ///< the lock that its wait on a condition releases
  bool releases_as_reader = false;    ///< whether it holds that as a reader
  bool flag = false;  ///< set by the task that unblocks it: notified, granted, timed out
  runtime::TimePoint wants_since;  ///< since when it has been waiting for a mutex
  std::uint32_t locks_held = 0;    ///< mutexes that a report may have to name after it has ended
  ActorSet joiners;
  TaskClock clock;
  SyncPoint handed;                     ///< from the task that starts or wakes it
  SyncPoint ended;                      ///< to a task that sees that it has ended
  Spinning* spinning = nullptr;         ///< owned by the scheduler; null before its first check
  std::uint32_t clock_reads = 0;        ///< in a row
  std::uint32_t clock_read_at = 0;      ///< after this many operations
  std::vector<std::uint64_t> spurious;  ///< objects whose waits last ended spuriously
  Occurrences made_objects;             ///< how many objects of each kind and name it has made
  std::uint64_t made_guests = 0;

 private:
  std::unique_ptr<FenceClocks> fences_;
};

}  // namespace watchlab::sim
