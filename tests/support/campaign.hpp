#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/runtime/ensure.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::tests {

/// How many pieces of a campaign (generated programs, random schedules) this run plays.
struct Campaign {
  std::size_t default_one;  ///< what the test promises
  std::size_t lengthy;      ///< in the lane --long
};

/// `ordinary`; `lengthy` where WATCHLAB_LONG is set; a fifth of `ordinary`, at least one, where
/// WATCHLAB_BRIEF is: the test lane sets it in sanitized builds, which look for wrong memory, take
/// twenty times as long, and see the same pieces as the other builds from the first one on.
[[nodiscard]] std::size_t pieces_of(Campaign campaign);

/// What a test does, on whatever runtime it is given.
using Body = std::function<void(runtime::Runtime&)>;

/// Checks, as part of the running case, that `body` holds in a simulated world under fifo and under
/// 200 random schedules. A failure is reported with its schedule. The body checks its own claims
/// with `expect`, because it runs many times and in tasks.
void holds_in_every_world(const Body& body);
/// The same, and once more on OS threads. Only for bodies that wait for no time to pass.
void holds_everywhere(const Body& body);
/// Checks that some schedule makes `body` fail with that kind of failure, and that a word of the
/// sentence is in its report. For bugs that the original has, and for checks of checks.
void fails_somewhere(const Body& body, std::string_view kind, std::string_view word);

/// The line to paste that plays this schedule again in the running case.
[[nodiscard]] std::string replay_line(std::string_view schedule);

/// Ends the body with a failure unless the two are equal.
void expect_equal(std::string_view found, std::string_view expected,
                  runtime::Location here = runtime::Location::current());
void expect_equal(std::int64_t found, std::int64_t expected,
                  runtime::Location here = runtime::Location::current());
/// Ends the body with a failure unless the fact is true.
inline void expect(bool fact, std::string_view claim,
                   runtime::Location here = runtime::Location::current()) {
  runtime::ensure(fact, claim, here);
}
/// Ends the body with a failure unless `action` panics and says `words`.
void expect_panic(const std::function<void()>& action, std::string_view words,
                  runtime::Location here = runtime::Location::current());

}  // namespace watchlab::tests
