#pragma once

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

}  // namespace watchlab::course
