#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/sandbox/namespaces.hpp"

namespace watchlab::course {

/// What a contained program may use.
struct Confinement {
  std::vector<std::filesystem::path> readable;  ///< to read and execute, beside the system's own
  std::vector<std::filesystem::path> writable;
  /// Silence allowed while the grader itself is awake; a report ends it. Ten times that in all.
  std::chrono::milliseconds silence{10'000};
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;     ///< of address space; 0 for no limit
  std::uint64_t file_bytes = std::uint64_t{64} << 20;      ///< of each file that it writes
  std::uint64_t received_bytes = std::uint64_t{32} << 20;  ///< that the grader reads of a process
  /// Of memory in use, by all processes together that the grader has started.
  std::uint64_t resident_bytes = std::uint64_t{4} << 30;
  /// Of the processor, by all processes together that the grader has started: what a busy machine
  /// does not make longer.
  std::chrono::milliseconds processor_max = std::chrono::hours(24);
  std::size_t processes = 16;  ///< at a time
  /// When the grade that this belongs to has to be finished.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

/// What to start.
struct Command {
  std::vector<std::string> words;        ///< the program, by its path, and its arguments
  std::vector<std::string> environment;  ///< all of it: "NAME=value"
  std::filesystem::path folder;          ///< where it starts
};

/// The descriptors that a program gets, as the grader knows them; -1 for none.
struct ProgramDescriptors {
  int output = -1;    ///< standard output and error
  int reports = -1;   ///< its `kReportDescriptor`
  int settings = -1;  ///< its `kSettingsDescriptor`
};

/// How a contained program ended.
struct Ended {
  enum class How : std::uint8_t { Exited, Signalled, TimedOut, OverLimit, NotStarted };

  How how = How::NotStarted;
  int status = 0;            ///< the exit status, or the signal
  std::string limit;         ///< of OverLimit: what it did, "it wrote more than 32 MiB"
  bool lacked_time = false;  ///< it was ended for its time, of the processor or on the clock
  std::string output;        ///< standard output and error, the beginning of it
  std::chrono::milliseconds wall{0};
  std::chrono::milliseconds cpu{0};
  std::uint64_t peak_bytes = 0;
};

/// "exit status 3", "SIGSEGV (segmentation fault)", "no sign of life for 10 s".
[[nodiscard]] std::string describe(const Ended& ended);

/// Runs programs that may be hostile, each in its own session, with limits on time, memory, files
/// and processes, without network, and with Landlock between it and all files but those named.
/// As root it runs them under another user, which no other sandbox of this machine has at the time:
/// root's processes are not bound by the limit on their number, and what runs away is found by its
/// user. What of this the machine does not offer is left out; `walls` tells.
///
/// One at a time; not for several threads.
class Sandbox {
 public:
  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  /// Called with what the program writes to `kReportDescriptor`, as it comes.
  using Listener = std::function<void(std::string_view)>;

  /// Waits for the program to end, and ends it when it takes too long. Nothing that it has started
  /// is left when this returns.
  Ended run(const Command& command, const Confinement& confinement, const Listener& listener = {});

  /// Starts the program, in a session of its own, for somebody who follows it with a `Guard` and
  /// calls `end_leftovers` when it has ended, or `keep` while it is to stay. Throws
  /// `std::runtime_error` when that cannot be.
  pid_t start(const Command& command, const Confinement& confinement,
              const ProgramDescriptors& descriptors);
  /// Ends all that is left of programs, `group` among them, wherever it hides, and all that is
  /// kept.
  void end_leftovers(pid_t group);
  /// How often that was done: what was kept before the last time is gone.
  [[nodiscard]] std::uint64_t endings() const { return endings_; }
  /// The program waits for what comes, so that it is no leftover.
  void keep(pid_t program) { kept_.push_back(program); }
  /// Whether only what is kept is left: what has lost its parent would be a child of this process
  /// too. False where the system does not tell.
  [[nodiscard]] bool has_only_kept() const;

  /// Lets the other user, if there is one, into a folder and all that is in it.
  void admit(const std::filesystem::path& folder) const;

  /// What holds, each with a name: "another user", "Landlock", "no network".
  [[nodiscard]] std::vector<std::string> walls() const;

 private:
  static void end_children();
  [[nodiscard]] static bool reap_children();

  void end_numberings();

  EmptyNetwork network_;
  bool has_view_ = can_show_only(network_);  ///< whether programs see their own files only
  /// The first processes of the numberings that are in use, by their programs.
  std::map<pid_t, pid_t> firsts_;
  std::vector<pid_t> kept_;
  std::uint64_t endings_ = 0;
  bool can_number_ = true;  ///< whether programs get numberings of their own
  int lock_ = -1;
  uid_t user_ = 0;  ///< 0 when programs run under the grader's own
};

}  // namespace watchlab::course
