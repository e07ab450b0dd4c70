#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <array>
#include <chrono>
#include <functional>
#include <string_view>

#include "exercises/sandbox/sandbox.hpp"

namespace watchlab::course {

/// Two connected descriptors that close with it, and in whatever is executed.
struct PipeEnds {
  PipeEnds() = default;
  PipeEnds(const PipeEnds&) = delete;
  PipeEnds& operator=(const PipeEnds&) = delete;
  ~PipeEnds();

  void close_end(std::size_t end);

  std::array<int, 2> ends{-1, -1};
};

/// Two sockets; with `SOCK_SEQPACKET` they keep messages apart. Unlike a pipe they do not record
/// the time of the last write. Throws `std::runtime_error` when there are none.
struct Connection : PipeEnds {
  explicit Connection(int type = SOCK_STREAM);
  /// From now on reading at 0 returns what is there and does not wait for more.
  void read_without_waiting() const;
};

/// Follows one contained process until it ends, its time is up, or it exceeds a limit that the
/// kernel does not enforce.
class Guard {
 public:
  /// Where the process is heard.
  struct Descriptors {
    int output = -1;
    int reports = -1;
    int library_output = -1;  ///< of the library under test, where it is another program
    int library_reports = -1;
    Sandbox::Listener library_listener;  ///< hears what comes from there
  };

  Guard(pid_t process, Descriptors received, const Confinement& confinement,
        const Sandbox::Listener& listener);
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard();

  /// Waits until the process has ended, its time is up or a limit is passed; or until there is
  /// something to read from `answer`, and only then is it true.
  bool wait_for(int answer = -1);
  /// Ends the process, if it has not ended yet, and its session, and reads the rest of its output.
  Ended end();
  /// What it has written to standard output and error by now.
  [[nodiscard]] const std::string& output() const { return ended_.output; }

 private:
  using Clock = std::chrono::steady_clock;

  void listen();
  void look_at_limits(bool is_quiet);
  void keep_output(std::string_view bytes);
  void count_time(bool is_quiet);
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] std::chrono::milliseconds time_left() const;
  void reap();

  pid_t process_;
  Descriptors received_;
  int descriptor_;
  const Confinement& confinement_;
  const Sandbox::Listener& listener_;
  Ended ended_;
  std::uint64_t received_bytes_ = 0;
  bool has_ended_ = false;
  bool output_open_ = true;
  bool library_output_open_ = true;
  bool library_reports_open_ = true;
  bool reports_open_ = true;
  Clock::time_point start_ = Clock::now();
  Clock::time_point looked_ = start_;
  std::chrono::milliseconds silent_{0};  ///< since it was last heard
  std::chrono::milliseconds lived_{0};
  std::chrono::milliseconds used_{0};  ///< of the processor, at the last quiet look
};

}  // namespace watchlab::course
