#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "exercises/sandbox/namespaces.hpp"
#include "exercises/sandbox/sandbox.hpp"

namespace watchlab::course {

/// The system calls that a contained program may use.
enum class SystemCalls : unsigned char {
  /// A compiler: files, processes and signals, as far as the other walls allow.
  Build,
  /// A program with a student's code: nothing that leaves a trace for the next run, either (times
  /// and modes of files, keyrings, sockets, queues and memory that outlive a process).
  Run,
};

/// Refuses all other calls permanently for this process and all that it starts: a refused call
/// fails with EPERM. False when the kernel does not support this. Needs PR_SET_NO_NEW_PRIVS.
[[nodiscard]] bool restrict_system_calls(SystemCalls allowed);

/// Gives the calling process its own keyring, so that it cannot find what another program has left
/// in the session's keyring. False when the kernel has no keyrings.
[[nodiscard]] bool take_own_keyring();

/// The names of the walls that a process can raise around itself on this machine: "Landlock",
/// "filtered system calls", "own keyring", "no processor clock", "no page of the clock". Each is
/// tried once, by a process that ends immediately.
[[nodiscard]] std::vector<std::string> walls_of_this_machine();

// What a child process does to itself before it becomes the contained program.

/// What a sandbox gives to a program.
struct Jail {
  const ProgramDescriptors& descriptors;
  const EmptyNetwork& network;
  uid_t user = 0;         ///< 0 means that the user stays
  bool has_view = false;  ///< whether it sees its own files only, `can_show_only`
};

/// Raises the walls around the calling process and replaces it by the program. Never returns: exits
/// with 127 and a sentence on the program's output when it cannot.
[[noreturn]] void become(const Command& command, const Confinement& confinement, const Jail& jail);

/// The version of Landlock that the kernel has; 0 for none.
[[nodiscard]] int landlock_version();

}  // namespace watchlab::course
