#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string_view>

#include "core/runtime/backend.hpp"

namespace watchlab::sim {

class Guests;

/// The part of an object that lives in a world, where the object itself may live longer: a mutex of
/// static lifetime, or one that outlives a run. It gets a backend at its first use in a run and
/// gives it up when the run is over or the object goes, whichever comes first; in the next run it
/// begins anew. Its constructor is a constant expression, as those of the standard's mutexes are.
class Guest {
 public:
  constexpr Guest() = default;
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;
  ~Guest() {
    if (backend_ != nullptr) [[unlikely]] {
      leave();
    }
  }

  /// The backend in the run that `guests` belong to; null before the first use in it.
  [[nodiscard]] runtime::RetirableBackend* backend_in(const Guests& guests) const {
    return guests_ == &guests ? backend_ : nullptr;
  }
  void enter(Guests& guests, runtime::RetirableBackend* backend);

 private:
  friend class Guests;
  void leave() noexcept;

  runtime::RetirableBackend* backend_ = nullptr;
  Guests* guests_ = nullptr;
  Guest* next_ = nullptr;
  Guest* previous_ = nullptr;
};

/// All guests of a run; its world holds them.
class Guests {
 public:
  Guests() = default;
  Guests(const Guests&) = delete;
  Guests& operator=(const Guests&) = delete;
  ~Guests() { end_run(); }

  /// All give up their backends.
  void end_run() noexcept {
    while (first_ != nullptr) {
      first_->leave();
    }
    made_.clear();
  }
  /// How many that are called like this and are made at this line have been used in the run, with
  /// this one: what tells the mutexes of two objects of one class apart.
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

  Guest* first_ = nullptr;
  std::map<Line, std::uint32_t> made_;
};

inline void Guest::enter(Guests& guests, runtime::RetirableBackend* backend) {
  if (backend_ != nullptr) {
    leave();
  }
  backend_ = backend;
  guests_ = &guests;
  previous_ = nullptr;
  next_ = guests.first_;
  if (next_ != nullptr) {
    next_->previous_ = this;
  }
  guests.first_ = this;
}

inline void Guest::leave() noexcept {
  (previous_ != nullptr ? previous_->next_ : guests_->first_) = next_;
  if (next_ != nullptr) {
    next_->previous_ = previous_;
  }
  runtime::RetirableBackend* const backend = backend_;
  backend_ = nullptr;
  guests_ = nullptr;
  backend->retire();
}

}  // namespace watchlab::sim
