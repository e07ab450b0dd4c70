#pragma once

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace watchlab::runtime {

/// Where an operation stands in the source. Every operation of this folder takes one as its last,
/// defaulted parameter, so that reports name the caller's line. It is for display only: it never
/// reaches a digest, a schedule or a decision.
using Location = std::source_location;

/// A fact that our own code relies on was false: a bug of ours, never of the input or the world.
class EnsureFailed : public std::logic_error {
 public:
  EnsureFailed(std::string_view why, Location here);

  /// Where the false fact was checked.
  [[nodiscard]] const Location& where() const { return where_; }

 private:
  Location where_;
};

/// What a Go panic is: the program did what the primitive forbids (send on a closed channel, second
/// close, unlock of an unlocked mutex, negative wait group counter). The task dies of it unless
/// `recover` catches it.
class Panic : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws a `Panic` that names the line: "close of a nil channel at queue.cpp:12".
[[noreturn]] void panic_at(std::string_view what, Location here);

/// Throws `EnsureFailed`; apart from `ensure`, so that the check itself stays small.
[[noreturn]] void ensure_failed(std::string_view why, Location here);

/// Checks a fact that must hold, in every build. Throws `EnsureFailed` with the caller's line.
inline void ensure(bool fact, std::string_view why, Location here = Location::current()) {
  if (!fact) [[unlikely]] {
    ensure_failed(why, here);
  }
}

}  // namespace watchlab::runtime
