#pragma once

#include <sys/types.h>

#include <cstddef>

#include "exercises/grader/sandbox.hpp"

/// What a child process does to itself before it becomes the contained program.
namespace watchlab::course {

/// The ends of pipes that the program gets.
struct JailPipes {
  int output = -1;
  int reports = -1;
  int settings = -1;
};

/// Puts the calling process in jail and becomes the program. Never returns: exits with 127 and a
/// sentence on `pipes.output` when it cannot. `user` 0 means that the user stays.
[[noreturn]] void become(const Command& command, const Confinement& confinement,
                         const JailPipes& pipes, uid_t user);

/// The version of Landlock that the kernel has; 0 for none.
[[nodiscard]] int landlock_version();
/// Whether this process could take the network away from a child.
[[nodiscard]] bool can_unshare_network();

}  // namespace watchlab::course
