#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace watchlab::course {

/// The children of a process, which those that lose their parent become when it asked for them;
/// none where the system does not tell.
[[nodiscard]] std::vector<pid_t> children_of(pid_t process);

/// The number that a process has where it runs, which is another one than here when it has a
/// numbering of its own; 0 where the system does not tell.
[[nodiscard]] pid_t number_within(pid_t process);

/// The memory that all processes below this one have in use, with what they share counted for each.
/// A limit that the kernel has for each process says nothing about sixteen of them.
[[nodiscard]] std::uint64_t resident_bytes_of_descendants();

}  // namespace watchlab::course
