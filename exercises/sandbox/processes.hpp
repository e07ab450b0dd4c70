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

/// The children of a process, which those that lose their parent become when it asked for them;
/// none where the system does not tell.
[[nodiscard]] std::vector<pid_t> children_of(pid_t process);

/// The number that a process has where it runs, which is another one than here when it has a
/// numbering of its own; 0 where the system does not tell.
[[nodiscard]] pid_t number_within(pid_t process);

/// The memory that all processes below this one have in use, with what they share counted for each.
/// A limit that the kernel has for each process says nothing about sixteen of them.
[[nodiscard]] std::uint64_t resident_bytes_of_descendants();

/// The time of the processor that all processes below this one have taken, and what these have
/// waited for. A limit that the kernel has for each process says nothing about many of them.
[[nodiscard]] std::chrono::milliseconds processor_time_of_descendants();

/// TMPDIR names a folder that nothing can be done in.
class BadTemporaryFolder : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Makes a folder of its own for temporary files, which other users may pass through, below TMPDIR.
/// Throws `BadTemporaryFolder` where that is none, or has a character in its name that the loader
/// or the linker reads as the end of a path, and `std::runtime_error` when there can be no folder.
[[nodiscard]] std::filesystem::path new_work_folder();

/// Splits this process in two: from here on the work is done by a child, and this one waits for it
/// and then ends as it did. All temporary folders of the work lie in one, which goes at the end.
/// When a signal asks for the end (INT, TERM, HUP), or the work dies, the child and all that it has
/// started are ended as well, contained programs in sessions of their own among them, and this
/// process dies of the same signal. `unfinished` is a folder that goes with them, if the work has
/// left it; "" for none. To be called before anything is printed or started. Throws
/// `std::runtime_error` when there can be no folder or no child.
/// `after_failure` is called, when all of that is gone, if a signal has ended the work or it
/// failed; not after bad usage, which has begun nothing.
void oversee(const std::filesystem::path& unfinished = {},
             const std::function<void()>& after_failure = {});

}  // namespace watchlab::course
