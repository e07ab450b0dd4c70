#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace watchlab::sim {

/// How much processor time a process has used; nothing where it is gone.
[[nodiscard]] std::optional<std::chrono::milliseconds> processor_time(pid_t process);

/// Lets a Go program print what its goroutines do, and end: that of a thread that computes first.
/// `process` leads a process group, and all of the group is asked.
void ask_for_stacks(pid_t process);

/// Where the goroutine is that a Go program printed first, such as "main.go:6 (main.circle)": the
/// first place that is not the runtime's. "" where `printed` has no goroutine.
[[nodiscard]] std::string place_in_stacks(std::string_view printed);

}  // namespace watchlab::sim
