#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/runtime/runtime.hpp"
#include "sim/kernel/run_result.hpp"

namespace watchlab::sim {

/// What the environment asks explorations to do: play only one schedule, and stop for a debugger on
/// the way.
struct RequestedReplay {
  std::string schedule;      ///< WATCHLAB_SCHEDULE, or the contents of the file for `@file`
  std::size_t break_at = 0;  ///< WATCHLAB_BREAK_AT, a step; 0 for none
};

/// Reads the environment. Returns nothing without WATCHLAB_SCHEDULE. Throws `std::invalid_argument`
/// if the file cannot be read, if WATCHLAB_BREAK_AT is not a step, or if it is set without a
/// schedule.
[[nodiscard]] std::optional<RequestedReplay> requested_replay();

/// Plays exactly this schedule, like `sim::replay`. Just before step `break_at` it prints that step
/// on standard error and raises SIGTRAP: a debugger stops there, with the frames of the task in
/// sight; without a debugger the program ends. Throws `InvalidSchedule` if the text is not a
/// schedule.
[[nodiscard]] std::optional<Failure> replay(const RequestedReplay& requested,
                                            const std::function<void(runtime::Runtime&)>& body);

/// A command line that replays the schedule in this case of this Boost.Test program, such as
/// "WATCHLAB_SCHEDULE=w1:… build/my_test --run_test=suite/case".
[[nodiscard]] std::string replay_line(std::string_view schedule, std::string_view program,
                                      std::string_view test_case);

/// The same for a plain `main` and for other frameworks: `program` is the whole command.
[[nodiscard]] std::string replay_line(std::string_view schedule, std::string_view program);

}  // namespace watchlab::sim
