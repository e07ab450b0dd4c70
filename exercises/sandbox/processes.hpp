#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace watchlab::course {

/// How a program of the machine ended.
struct ProcessEnd {
  int status = 0;  ///< its exit status; 128 and the signal's number when one ended it
  std::string output;
};

/// Runs a trusted program in `folder` with this program's environment, and waits for it. Throws
/// `std::runtime_error` when it cannot be started.
[[nodiscard]] ProcessEnd run_plainly(const std::vector<std::string>& words,
                                     const std::filesystem::path& folder);

/// The children of a process, including orphans if it is a subreaper; none where the system does
/// not tell.
[[nodiscard]] std::vector<pid_t> children_of(pid_t process);

/// The number of a process in its own PID namespace, which may differ from its number here; 0 where
/// the system does not tell.
[[nodiscard]] pid_t number_within(pid_t process);

/// The memory in use by all processes below this one; shared memory counts for each of them. The
/// kernel's limit is per process and does not bound the sum.
[[nodiscard]] std::uint64_t resident_bytes_of_descendants();

/// The processor time of all processes below this one and of the children that they have waited
/// for. The kernel's limit is per process and does not bound the sum.
[[nodiscard]] std::chrono::milliseconds processor_time_of_descendants();

/// Whether one of the processes below this one runs, or would if there were a processor for it, or
/// waits for a disk.
[[nodiscard]] bool a_descendant_could_run();

/// TMPDIR names a folder that cannot be used.
class BadTemporaryFolder : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Makes a folder of its own for temporary files, which other users may pass through, below TMPDIR.
/// Throws `BadTemporaryFolder` where that is none, or has a character in its name that the loader
/// or the linker reads as the end of a path, and `std::runtime_error` when there can be no folder.
[[nodiscard]] std::filesystem::path new_work_folder();

/// Splits this process in two: a child does the work from here on, and this process waits for it
/// and then ends in the same way. All temporary folders of the work are in one folder, which is
/// removed at the end. When a signal ends the work (INT, TERM, HUP), or the child dies, the child
/// and all that it has started are ended as well, contained programs in sessions of their own among
/// them, and this process dies of the same signal. `unfinished` is a folder that is removed too, if
/// the work has left it; "" for none. Call it before anything is printed or started. Throws
/// `std::runtime_error` when there can be no folder or no child. `after_failure` is called after
/// all that, if a signal has ended the work or it failed; not after bad usage, when no work has
/// begun.
void oversee(const std::filesystem::path& unfinished = {},
             const std::function<void()>& after_failure = {});

}  // namespace watchlab::course
