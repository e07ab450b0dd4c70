#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace watchlab::sim {

/// How a program is started from this one: what a shell does before it runs a command.
struct ProgramStart {
  std::vector<std::string> words;                              ///< the program and its arguments
  std::vector<std::pair<std::string, std::string>> variables;  ///< beside the caller's, or instead
  /// Descriptors of the caller, each with the number under which the program finds it. Where there
  /// are some, its standard input is empty; else it has the caller's standard streams.
  std::vector<std::pair<int, int>> descriptors;
  bool keeps_input = false;  ///< it has the caller's standard input all the same
  std::string folder;        ///< where it runs; "" for here
  bool has_group = false;    ///< a process group of its own
};

/// Starts it, with no signal blocked or ignored. Gives its process, or an `errno` when the system
/// could not.
struct ProgramStarted {
  pid_t process = -1;
  int failure = 0;
};
[[nodiscard]] ProgramStarted start_program(ProgramStart start);

/// How much processor time a process has used; nothing where it is gone.
[[nodiscard]] std::optional<std::chrono::milliseconds> processor_time(pid_t process);

/// Whether a process, or one that it has started, runs or would if there were a processor for it,
/// or waits for a disk.
[[nodiscard]] bool could_run(pid_t process);

/// How much processor time each thread of a process has used, in the ticks of the system.
using ThreadTicks = std::map<pid_t, std::int64_t>;
[[nodiscard]] ThreadTicks thread_ticks(pid_t process);

/// A thread that has computed for some ticks between the two; nothing where none has.
[[nodiscard]] std::optional<pid_t> computing_thread(const ThreadTicks& before,
                                                    const ThreadTicks& now);

/// Lets a Go program print what its goroutines do, and end: that of a thread that computes first,
/// which takes up to a second to find. `process` leads a process group, and all of the group is
/// asked where no thread computes.
void ask_for_stacks(pid_t process);

/// Where the goroutine is that a Go program printed first, such as "main.go:6 (main.circle)": the
/// first place that is not the runtime's. "" where `printed` has no goroutine.
[[nodiscard]] std::string place_in_stacks(std::string_view printed);

}  // namespace watchlab::sim
