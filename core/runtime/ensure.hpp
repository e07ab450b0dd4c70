#pragma once

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace watchlab::runtime {

/// A place in the source. Every operation in this folder takes one as its last, defaulted
/// parameter, so that reports name the caller's line. For display only: it never affects a digest,
/// a schedule or a decision.
using Location = std::source_location;

/// A fact that our own code relies on is false: a bug in watchlab, never in the input or the world.
class EnsureFailed : public std::logic_error {
 public:
  EnsureFailed(std::string_view why, Location here);

  /// Where the check failed.
  [[nodiscard]] const Location& where() const { return where_; }

 private:
  Location where_;
};

/// A Go panic: the program did something that a primitive forbids (send on a closed channel, second
/// close, unlock of an unlocked mutex, negative wait group counter). It kills the task unless
/// `recover` catches it.
class Panic : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws a `Panic` that names the line: "close of a nil channel at queue.cpp:12".
[[noreturn]] void panic_at(std::string_view what, Location here);

/// Throws `EnsureFailed`. Separate from `ensure`, so that the check itself stays small.
[[noreturn]] void ensure_failed(std::string_view why, Location here);

/// Checks in every build that a fact is true. Throws `EnsureFailed` with the caller's line.
inline void ensure(bool fact, std::string_view why, Location here = Location::current()) {
  if (!fact) [[unlikely]] {
    ensure_failed(why, here);
  }
}

}  // namespace watchlab::runtime
