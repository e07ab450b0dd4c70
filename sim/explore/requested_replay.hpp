#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/runtime/runtime.hpp"
#include "sim/kernel/run_result.hpp"

namespace watchlab::sim {

/// What the environment of the program asks of its explorations: to play one schedule only, and to
/// stop for a debugger on the way.
struct RequestedReplay {
  std::string schedule;      ///< WATCHLAB_SCHEDULE, or what stands in the file of `@file`
  std::size_t break_at = 0;  ///< WATCHLAB_BREAK_AT, a step; 0 for none
};

/// Reads the environment. Nothing without WATCHLAB_SCHEDULE. Throws `std::invalid_argument` for a
/// file that cannot be read, and for a WATCHLAB_BREAK_AT that is no step or has no schedule.
[[nodiscard]] std::optional<RequestedReplay> requested_replay();

/// Plays exactly that schedule, like `sim::replay`. Just before step `break_at` it says on standard
/// error what that step is, and raises SIGTRAP: a debugger stops there, with the frames of the task
/// in sight; without one the program ends. Throws `InvalidSchedule` when the text is no schedule.
[[nodiscard]] std::optional<Failure> replay(const RequestedReplay& requested,
                                            const std::function<void(runtime::Runtime&)>& body);

/// The line to paste that plays the schedule again in that case of that Boost.Test program, as in
/// "WATCHLAB_SCHEDULE=w1:… build/my_test --run_test=suite/case".
[[nodiscard]] std::string replay_line(std::string_view schedule, std::string_view program,
                                      std::string_view test_case);

/// The same for a plain `main`, and for other frameworks: `program` has all words that play it.
[[nodiscard]] std::string replay_line(std::string_view schedule, std::string_view program);

}  // namespace watchlab::sim
