#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/runtime/backend.hpp"

namespace watchlab::sim {

class Guests;

/// The part of an object that lives in a world, where the object itself may live longer: a mutex of
/// static lifetime, or one that outlives a run. It gets a backend at its first use in a run and
/// gives it up when the run is over or the object goes, whichever comes first; in the next run it
/// begins anew. Its constructor is a constant expression, as those of the standard's mutexes are.
/// It is small: containers of others lay out atomics of ours for one line of the cache.
///
/// It has a *name*, by which strategies know the object in all runs of an exploration, so the name
/// must not depend on who uses the object first:
/// - in static storage: its place in the program, whoever constructs it, and when;
/// - made by a task, in the run at hand: that task, and how many it has made before;
/// - made outside of a world: how many were made there before in this process;
/// - made by a task in an earlier run (on the heap, by the first use of a singleton): a name made
///   of the one that it had then, which no object of this run can have. What the task made after it
///   has other names in the runs in which the object was there already, so a search that relies on
///   names has to begin again: `Guests::taken_over` says when.
class Guest {
 public:
  constexpr Guest() {
    if (!std::is_constant_evaluated()) {
      name_by_maker();
    }
  }
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;
  ~Guest() {
    if (backend_ != nullptr) [[unlikely]] {
      leave();
    }
  }

  /// The backend in the run of `guests`; null before its first use in that run.
  [[nodiscard]] runtime::RetirableBackend* backend_in(const Guests& guests) const {
    return guests_ == &guests ? backend_ : nullptr;
  }
  void enter(Guests& guests, runtime::RetirableBackend* backend);
  /// Its name in the current run of `guests`, from its first use on.
  [[nodiscard]] std::uint64_t name_in(const Guests& guests);

 private:
  friend class Guests;
  void name_by_maker();
  void leave() noexcept;

  runtime::RetirableBackend* backend_ = nullptr;
  Guests* guests_ = nullptr;
  std::uint64_t name_ = 0;     ///< 0 before the first use of an object in static storage
  std::uint32_t made_in_ = 0;  ///< the run in which a task made it; 0 for others
  std::uint32_t place_ = 0;    ///< its index in `guests_`
};

/// All guests of a run; owned by its world.
class Guests {
 public:
  Guests() = default;
  Guests(const Guests&) = delete;
  Guests& operator=(const Guests&) = delete;
  ~Guests() { end_run(); }

  /// Makes all guests give up their backends.
  void end_run() noexcept {
    while (!all_.empty()) {
      all_.back()->leave();
    }
    made_.clear();
    run_ = next_run();
  }
  /// The number of this run, not 0; unique among four billion runs.
  [[nodiscard]] std::uint32_t run() const { return run_; }
  /// How often a run in this process, in any world, has used for the first time what a task of an
  /// earlier run had made.
  [[nodiscard]] static std::uint64_t taken_over();
  /// How many objects with this name and line have been used in the run, including this one: tells
  /// the mutexes of two objects of one class apart.
  [[nodiscard]] std::uint32_t count(std::string_view name, const runtime::Location& made) {
    return ++made_[{made.file_name(), made.line(), name}];
  }

 private:
  friend class Guest;

  struct Line {
    std::string_view file;
    std::uint32_t line;
    std::string_view name;
    friend auto operator<=>(const Line&, const Line&) = default;
  };

  [[nodiscard]] static std::uint32_t next_run();

  std::vector<Guest*> all_;
  std::uint32_t run_ = next_run();
  std::map<Line, std::uint32_t> made_;
};

inline void Guest::enter(Guests& guests, runtime::RetirableBackend* backend) {
  if (backend_ != nullptr) {
    leave();
  }
  backend_ = backend;
  guests_ = &guests;
  place_ = static_cast<std::uint32_t>(guests.all_.size());
  guests.all_.push_back(this);
}

inline void Guest::leave() noexcept {
  std::vector<Guest*>& all = guests_->all_;
  all[place_] = all.back();
  all[place_]->place_ = place_;
  all.pop_back();
  runtime::RetirableBackend* const backend = backend_;
  backend_ = nullptr;
  guests_ = nullptr;
  backend->retire();
}

}  // namespace watchlab::sim
