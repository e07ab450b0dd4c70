#pragma once

#include <sys/types.h>

#include "exercises/sandbox/namespaces.hpp"
#include "exercises/sandbox/sandbox.hpp"

/// What a child process does to itself before it becomes the contained program.
namespace watchlab::course {

/// What a sandbox gives to a program.
struct Jail {
  const ProgramDescriptors& descriptors;
  const EmptyNetwork& network;
  uid_t user = 0;  ///< 0 means that the user stays
};

/// Puts the calling process in jail and becomes the program. Never returns: exits with 127 and a
/// sentence on the program's output when it cannot.
[[noreturn]] void become(const Command& command, const Confinement& confinement, const Jail& jail);

/// The version of Landlock that the kernel has; 0 for none.
[[nodiscard]] int landlock_version();

}  // namespace watchlab::course
