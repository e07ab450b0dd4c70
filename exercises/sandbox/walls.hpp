#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "exercises/sandbox/namespaces.hpp"
#include "exercises/sandbox/sandbox.hpp"

namespace watchlab::course {

/// What a contained program may ask of the kernel.
enum class SystemCalls : unsigned char {
  /// A compiler: files, processes and signals, as far as the other walls let it.
  Build,
  /// A program with a student's code: nothing that leaves a trace for the next run, either (times
  /// and modes of files, keyrings, sockets, queues and memory that outlive a process).
  Run,
};

/// Refuses everything else to this process and all that it starts, for good: a refused call fails
/// with EPERM. False when the kernel does not offer that. Needs PR_SET_NO_NEW_PRIVS.
[[nodiscard]] bool restrict_system_calls(SystemCalls allowed);

/// Gives the calling process a keyring of its own: what another program has left in the session's
/// cannot be found. False when the kernel offers none.
[[nodiscard]] bool take_own_keyring();

/// The names of those walls that a process can raise around itself on this machine: "Landlock",
/// "filtered system calls", "own keyring", "no processor clock", "no page of the clock". Each is
/// raised once, by a process that ends at once.
[[nodiscard]] std::vector<std::string> walls_of_this_machine();

// What a child process does to itself before it becomes the contained program.

/// What a sandbox gives to a program.
struct Jail {
  const ProgramDescriptors& descriptors;
  const EmptyNetwork& network;
  uid_t user = 0;         ///< 0 means that the user stays
  bool has_view = false;  ///< whether it sees its own files only, `can_show_only`
};

/// Puts the calling process in jail and becomes the program. Never returns: exits with 127 and a
/// sentence on the program's output when it cannot.
[[noreturn]] void become(const Command& command, const Confinement& confinement, const Jail& jail);

/// The version of Landlock that the kernel has; 0 for none.
[[nodiscard]] int landlock_version();

}  // namespace watchlab::course
