#pragma once

#include <cstddef>
#include <string_view>

#include "core/runtime/random.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

/// Checks that `body` holds under many random schedules, and then again and again in real time, on
/// OS threads and on fibers with 1, 2 and 8 workers, with another seed each time: 500 schedules and
/// half a second, or with `--long` 10,000 and a minute. For bodies that do everything at once and
/// wait for no time to pass.
void hammer(const Body& body);

/// What comes next, for tasks of a hammer. In a world the answer is a choice of the schedule; on
/// threads, where a runtime always makes the default choice, it is a number of a random stream. A
/// task makes its own.
class Dice {
 public:
  explicit Dice(runtime::Runtime& runtime) : runtime_(runtime), random_(runtime, "dice") {}

  /// Below `sides`.
  [[nodiscard]] std::size_t roll(std::size_t sides, std::string_view what) {
    const std::size_t chosen = runtime_.choose(sides, what);
    return (chosen + random_.below(sides)) % sides;
  }
  [[nodiscard]] bool one_in(std::size_t sides, std::string_view what) {
    return roll(sides, what) == 0;
  }

 private:
  runtime::Runtime& runtime_;
  runtime::Random random_;
};

}  // namespace watchlab::tests
