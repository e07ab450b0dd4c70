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

/// Counts how often each of some digests has come. Most tasks make objects of a few kinds and names
/// only, and their counts lie in the task itself; those of the others are in a table.
class Occurrences {
 public:
  /// How often this one has come, this time too.
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

/// What fences make of a task's relaxed accesses.
struct FenceClocks {
  SyncPoint seen;    ///< what relaxed reads have seen: an acquire fence acquires it
  SyncPoint fenced;  ///< what a release fence has released: relaxed writes after it hand it on
};

/// A task of a simulated world: a fiber with an identity. Everything but its backend face is the
/// scheduler's and the primitives' business.
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

  /// Whether it came to its end in a running world. A task that joined a killed one would continue
  /// with what it never did.
  [[nodiscard]] bool has_ended_by_itself() const { return state == State::Ended && !killed; }

  /// Made when they are asked for first: few tasks need them.
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
  bool has_spawned = false;           ///< other tasks
  bool lost = false;                  ///< it called `std::terminate` and cannot unwind
  std::string label;                  ///< what it is doing, for narration
  std::uint64_t number = 0;           ///< in the order of spawning
  std::uint32_t choices = 0;          ///< data choices it has met
  std::uint32_t handovers = 0;        ///< choices to whom it hands a mutex over
  std::uint32_t advances = 0;         ///< early advances that followed on another
  std::uint32_t timed_loops = 0;      ///< choices whether it polls on that read the clock
  std::uint32_t last_operations = 0;  ///< in a stopping world
  Deadline deadline;                  ///< of a sleep or a timed wait
  PendingSelect* select = nullptr;    ///< while it sends, receives or selects
  std::string met_at;                 ///< the channel of its last meeting, in a recorded run
  SimObject* releases = nullptr;      ///< the lock that its wait on a condition gives up
  bool releases_as_reader = false;    ///< how it holds that
  bool flag = false;  ///< set by the task that unblocks it: notified, granted, timed out
  runtime::TimePoint wants_since;  ///< the moment from which on it has wanted a mutex
  std::uint32_t locks_held = 0;    ///< mutexes, which a report may have to say when it has ended
  ActorSet joiners;
  TaskClock clock;
  SyncPoint handed;                     ///< from the task that starts or wakes it
  SyncPoint ended;                      ///< to a task that sees that it has ended
  Spinning* spinning = nullptr;         ///< the scheduler's; null before it has looked at anything
  std::uint32_t clock_reads = 0;        ///< one after the other
  std::uint32_t clock_read_at = 0;      ///< after that many operations
  std::vector<std::uint64_t> spurious;  ///< objects that it last left without a cause
  Occurrences made_objects;             ///< how many objects of each kind and name it has made
  std::uint64_t made_guests = 0;

 private:
  std::unique_ptr<FenceClocks> fences_;
};

}  // namespace watchlab::sim
