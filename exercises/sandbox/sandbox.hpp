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
  /// How long a program may send no report, counted only while the grader itself runs, and as its
  /// processor time while it could run; at most ten times that altogether.
  std::chrono::milliseconds silence{10'000};
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;     ///< of address space; 0 for no limit
  std::uint64_t file_bytes = std::uint64_t{64} << 20;      ///< of each file that it writes
  std::uint64_t received_bytes = std::uint64_t{32} << 20;  ///< that the grader reads of a process
  /// The memory in use by all processes together that the grader has started.
  std::uint64_t resident_bytes = std::uint64_t{4} << 30;
  /// The processor time of all processes together that the grader has started; a busy machine does
  /// not make it longer.
  std::chrono::milliseconds processor_max = std::chrono::hours(24);
  std::size_t processes = 16;  ///< at a time
  /// When the grade of this run has to be finished.
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
/// and processes, without network, and with access only to the named files (Landlock). If it runs
/// as root, it runs them as another user, which no other sandbox on this machine uses at that time:
/// the limit on the number of processes does not bind root, and leftover processes are found by
/// their user. Protections that the machine does not offer are left out; `walls` lists those in
/// force.
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

  /// Starts the program, in a session of its own, for a caller that follows it with a `Guard` and
  /// calls `end_leftovers` when it has ended, or `keep` while it should stay. Throws
  /// `std::runtime_error` when it cannot be started.
  pid_t start(const Command& command, const Confinement& confinement,
              const ProgramDescriptors& descriptors);
  /// Ends all processes that programs have left, those of `group` included, and all that are kept.
  void end_leftovers(pid_t group);
  /// How often `end_leftovers` was called: processes kept before the last call no longer exist.
  [[nodiscard]] std::uint64_t endings() const { return endings_; }
  /// The program waits for further runs and is not a leftover.
  void keep(pid_t program) { kept_.push_back(program); }
  /// Whether only kept processes are left: a process that has lost its parent would be a child of
  /// this process too. False where the system does not tell.
  [[nodiscard]] bool has_only_kept() const;

  /// Lets the other user, if there is one, into a folder and all that is in it.
  void admit(const std::filesystem::path& folder) const;

  /// The protections in force, by name: "another user", "Landlock", "no network".
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
