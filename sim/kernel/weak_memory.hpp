#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/kernel/memory.hpp"
#include "sim/kernel/race_clocks.hpp"

namespace watchlab::sim {

/// An access as the memory model sees it.
struct WeakAccess {
  std::memory_order order = std::memory_order_seq_cst;
  bool reads = false;
  bool writes = false;
};

/// One store to an atomic. It must not move, because ThreadSanitizer identifies its message by its
/// address.
struct WeakStore {
  /// The task wrote or read the store, and knows of it from then on.
  struct Known {
    std::uint32_t place;  ///< of the task in clocks
    std::uint32_t count;
  };
  /// How often a task has read it when it was not the newest.
  struct Repeat {
    std::uint64_t task;
    std::uint32_t reads;
  };

  std::string bytes;  ///< of the value
  SyncPoint message;  ///< what an acquiring read of it learns: that of its release sequence
  std::uint32_t position = 0;  ///< in modification order
  bool updates = false;        ///< it is the write of an update
  bool updated = false;        ///< an update reads it, and comes directly after it
  bool weaker = false;         ///< its task was behind a weaker access
  std::vector<Known> known;
  std::vector<Repeat> repeats;
  std::vector<std::uint32_t> readers;  ///< events
};

/// One atomic: its stores in modification order. The first one is the value that it had at its
/// first use in the run, which every task knows.
struct WeakLocation {
  std::vector<std::unique_ptr<WeakStore>> stores;

  [[nodiscard]] WeakStore& newest() { return *stores.back(); }
};

/// The execution graph of a run with weak memory, by the axioms of RC11 (Lahav, Vafeiadis, Kang,
/// Hur, Dreyer: Repairing Sequential Consistency in C/C++11, PLDI 2017; release sequences as in
/// C++20). A run adds one event after the other, in an order that contains program order and
/// reads-from, so load buffering cannot happen. An event may read any store, and write at any place
/// of the modification order, if the graph stays consistent:
///
/// - *coherence*: not older than what happens before the event wrote or read (`floor`);
/// - *atomicity*: an update comes directly after the store that it reads;
/// - *SC*: the order psc of seq_cst accesses and fences has no cycle. Only an event that does not
///   take the newest store can close one, so only then a cycle is looked for.
///
/// Taking the newest store is always consistent. Happens-before is that of `RaceClocks`.
///
/// As long as program order and reads-from lead to a seq_cst access from no weaker one, it takes
/// the newest store of those that none leads to either: whatever other choices would show there,
/// another order of the same accesses shows without them. `RaceClocks` keeps for each task whether
/// it is behind a weaker access.
class WeakMemory {
 public:
  /// How the access would read a store. An update can read only a store that no other update reads.
  using AccessOf = std::function<WeakAccess(const WeakStore&)>;

  /// How often a task reads one store that is not the newest, so that a loop that waits for a newer
  /// one ends.
  static constexpr std::uint32_t kStaleReads = 3;

  explicit WeakMemory(RaceClocks& races) : races_(races) {}

  /// Where an access may take place, the newest first. Decided by coherence and atomicity alone,
  /// which do not depend on the order of independent steps; some of these places are still
  /// `impossible`.
  struct Places {
    std::vector<std::uint32_t> all;  ///< in `WeakLocation::stores`
    std::vector<std::uint8_t> impossible;
  };

  /// What the task may read now. `weaker` says that the access may be weaker than seq_cst.
  [[nodiscard]] const Places& readable(WeakLocation& location, SimTask& task, bool weaker,
                                       const AccessOf& access_of);
  /// The places for a store that is not an update: before which stores, or behind all.
  [[nodiscard]] const Places& writable(WeakLocation& location, SimTask& task,
                                       std::memory_order order);
  /// The task reads the store at `place`, and acquires what that store releases.
  void read(WeakLocation& location, std::uint32_t place, std::memory_order order, SimTask& task);
  /// The task stores at `place` what the caller fills in; as an update it reads the store before.
  [[nodiscard]] WeakStore& write(WeakLocation& location, std::uint32_t place,
                                 const WeakAccess& access, SimTask& task);
  void fence(std::memory_order order, SimTask& task);
  /// The atomic was destroyed; events still refer to it.
  void keep(std::unique_ptr<WeakLocation> ended) { ended_.push_back(std::move(ended)); }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// An access or a seq_cst fence.
  struct Event {
    std::uint32_t place = 0;         ///< of its task in clocks
    std::uint32_t count = 0;         ///< the task's own entry then
    std::uint32_t left = 0;          ///< and after what it releases
    std::uint32_t previous = kNone;  ///< of the task
    std::uint32_t next = kNone;
    const WeakLocation* location = nullptr;  ///< null for a fence
    const WeakStore* read = nullptr;
    const WeakStore* written = nullptr;
    bool sc = false;
    VectorClock before;  ///< what the task knew before it acquired
    VectorClock known;   ///< and after

    [[nodiscard]] bool is_fence() const { return location == nullptr; }
  };
  class CycleSearch;

  [[nodiscard]] bool is_behind_weaker(SimTask& task, bool weaker);
  [[nodiscard]] std::uint32_t floor(const WeakLocation& location, const SimTask& task) const;
  void add_place(std::uint32_t place, bool possible);
  [[nodiscard]] bool may_read(WeakLocation& location, std::uint32_t place, const WeakAccess& access,
                              SimTask& task);
  [[nodiscard]] bool may_write(WeakLocation& location, std::uint32_t place, std::memory_order order,
                               SimTask& task);
  Event& add(const WeakLocation* location, std::memory_order order, SimTask& task);
  void add_to_task(std::uint32_t event);
  void drop_last();
  static WeakStore& insert(WeakLocation& location, std::uint32_t place);
  static void remove(WeakLocation& location, std::uint32_t place);

  [[nodiscard]] bool closes_cycle() const;
  // Relations of the paper, of two events.
  [[nodiscard]] bool sb(const Event& a, const Event& b) const {
    return a.place == b.place && &a < &b;
  }
  [[nodiscard]] bool hb(const Event& a, const Event& b) const {
    return a.place == b.place ? &a < &b : b.known.at(a.place) >= a.count;
  }
  [[nodiscard]] bool mo_or_rb(const Event& a, const Event& b) const;
  [[nodiscard]] bool eco(const Event& a, const Event& b) const;
  [[nodiscard]] bool scb(const Event& a, const Event& b) const;
  [[nodiscard]] std::uint32_t left_elsewhere(const Event& a) const;
  [[nodiscard]] const VectorClock& known_elsewhere(const Event& b) const;

  RaceClocks& races_;
  std::vector<Event> events_;
  std::vector<std::unique_ptr<WeakLocation>> ended_;
  std::vector<std::uint32_t> sc_;       ///< events that are seq_cst
  std::vector<std::uint32_t> last_of_;  ///< by place in clocks
  Places places_;                       ///< the answer to `readable` and `writable`
};

}  // namespace watchlab::sim
