#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/runtime/backend.hpp"
#include "sim/kernel/guest.hpp"
#include "sim/kernel/memory.hpp"
#include "sim/std/names.hpp"

namespace watchlab::sim {
class SimCell;
class SimGate;
class SimMutex;
class SimObject;
class World;
}  // namespace watchlab::sim

/// Drop-in classes for code that is written against the standard library. Where a task of a
/// simulated world uses them, each operation is an operation of that world: a point where the
/// strategy decides who goes next. Elsewhere they are the classes of the standard library.
///
/// What this namespace does not name is the standard's, so existing code is explored by writing
/// `watchlab::stdx::` where it says `std::`, or, where it has a namespace of its own, by
/// `namespace its { namespace std = ::watchlab::stdx; }` before it is included. docs/library.md.
namespace watchlab::stdx {

using runtime::Location;

/// The world whose task calls; null outside of one. How the classes of this folder find it.
[[nodiscard]] sim::World* world_here();

/// The parts of the classes that live in a world. Each is made at its first use in a run and begins
/// anew in the next; `made` is where the object was made, by which reports name it. A function that
/// takes a world must be called by a task of it.
class MutexPart {
 public:
  constexpr explicit MutexPart(Location made) : made_(made) {}

  void lock(sim::World& world, Location here);
  [[nodiscard]] bool try_lock(sim::World& world, Location here);
  /// A finding when another task holds the mutex, or none.
  void unlock(sim::World& world, Location here);
  /// Whether the calling task holds it; no operation.
  [[nodiscard]] bool is_mine(sim::World& world);
  [[nodiscard]] sim::SimMutex& at(sim::World& world);

 private:
  Location made_;
  sim::Guest guest_;
};

class ConditionPart {
 public:
  constexpr explicit ConditionPart(Location made) : made_(made) {}

  /// False when the deadline passed before a notification came.
  bool wait(sim::World& world, MutexPart& mutex, std::optional<runtime::TimePoint> deadline,
            Location here);
  void notify(sim::World& world, bool all, Location here);

 private:
  Location made_;
  sim::Guest guest_;
};

/// Of an atomic, and of plain data that is watched.
class CellPart {
 public:
  enum class Of : std::uint8_t { Atomic, Data };

  constexpr CellPart(Of of, Location made) : made_(made), of_(of) {}

  /// See `sim::SimCell`. `begin` comes before the access of the memory, and `end` after it where
  /// the newest value counts.
  [[nodiscard]] sim::CellAccess begin(sim::World& world, runtime::AccessKind kind, bool reads,
                                      Location here);
  struct Operation {
    sim::World& world;
    Location here;
    std::memory_order order;
  };
  void end(const Operation& by, runtime::AccessKind kind, bool changed);
  // The functions of `sim::SimCell` for weak memory.
  void weak_load(const Operation& by, std::span<std::byte> value);
  void weak_store(const Operation& by, std::span<const std::byte> stored,
                  std::span<std::byte> value);
  void weak_take(const Operation& by, std::span<std::byte> value);
  /// `by.order` is that of a success.
  [[nodiscard]] bool weak_compare(const Operation& by, const sim::ExchangeOrders& orders,
                                  std::span<const std::byte> expected, std::span<std::byte> value);
  void weak_put(const Operation& by, std::span<std::byte> value);
  void await_notification(sim::World& world, Location here);
  void notify(sim::World& world, bool all, Location here);
  /// A plain access: evidence for the race checker, and no operation.
  void plain(sim::World& world, runtime::AccessKind kind, Location here);

 private:
  [[nodiscard]] sim::SimCell& at(sim::World& world);

  Location made_;
  Of of_;
  sim::Guest guest_;
};

/// Of everything else that waits, see `sim::SimGate`; its state lies with its owner.
class GatePart {
 public:
  /// `opening` says which ways are open; `begin` makes the owner's state what it is before its
  /// first use in a run.
  GatePart(std::string_view name, Location made, std::function<std::uint8_t()> opening,
           std::function<void()> begin)
      : name_(name), made_(made), opening_(std::move(opening)), begin_(std::move(begin)) {}

  [[nodiscard]] sim::SimGate& at(sim::World& world);

 private:
  std::string_view name_;
  Location made_;
  std::function<std::uint8_t()> opening_;
  std::function<void()> begin_;
  sim::Guest guest_;
};

/// What else a task of a world does.
[[nodiscard]] runtime::TimePoint now(sim::World& world);
/// Whether there is a time limit that has passed already: then one looks and does not wait, for
/// time does not pass while others can continue.
[[nodiscard]] inline bool is_over(sim::World& world, std::optional<runtime::TimePoint> deadline) {
  return deadline && *deadline <= now(world);
}
void sleep_until(sim::World& world, runtime::TimePoint deadline, Location here);
void yield(sim::World& world, Location here);
void fence(sim::World& world, std::memory_order order, Location here);
[[nodiscard]] std::shared_ptr<runtime::TaskBackend> spawn(sim::World& world,
                                                          std::function<void()> body,
                                                          Location here);
/// Waits until the task has ended; in a stopping world it comes back at once, because code that
/// joins in a destructor must not throw.
void join(sim::World& world, runtime::TaskBackend& task, Location here);
/// Of the calling task, and of one that it started: equal in every run that gets to it.
[[nodiscard]] std::uint64_t number_of_task(sim::World& world);
[[nodiscard]] std::uint64_t number_of(const runtime::TaskBackend& task);
/// What reports call a task.
[[nodiscard]] std::string path_of(const runtime::TaskBackend& task);
/// The program did what the standard calls undefined or terminates for: ends the run with that
/// finding. Nothing in a world that is stopping. `counterpart` says what else is to be known: who
/// holds it.
void report_misuse(sim::World& world, std::string_view what, Location here,
                   std::string_view counterpart = "");
/// Whether the world is being taken down, so that nothing is to be waited for.
[[nodiscard]] bool is_stopping(sim::World& world);

/// The moment of the world that is as far away as that moment of any clock.
template <typename Clock, typename Span>
[[nodiscard]] runtime::TimePoint moment_of(sim::World& world,
                                           const std::chrono::time_point<Clock, Span>& moment) {
  const auto left = std::chrono::ceil<runtime::Duration>(moment - Clock::now());
  return now(world) + std::max(left, runtime::Duration::zero());
}
template <typename Rep, typename Period>
[[nodiscard]] runtime::TimePoint moment_after(sim::World& world,
                                              const std::chrono::duration<Rep, Period>& delay) {
  const auto left = std::chrono::ceil<runtime::Duration>(delay);
  return now(world) + std::max(left, runtime::Duration::zero());
}

}  // namespace watchlab::stdx
