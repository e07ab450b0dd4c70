#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <string>
#include <thread>

#include "scenarios/command_line/child_process.hpp"

namespace watchlab::scenarios {

/// What a command prints: it goes where it would have gone, and its last lines are kept. A terminal
/// stays the command's own, so that it prints there as ever; of that nothing is kept.
class CommandOutput {
 public:
  static constexpr std::size_t kLinesMax = 20;

  /// Throws `std::runtime_error` when there is no pipe left.
  CommandOutput();
  CommandOutput(const CommandOutput&) = delete;
  CommandOutput& operator=(const CommandOutput&) = delete;
  ~CommandOutput();

  /// For the command, which is started with the caller's standard input, and in a process group of
  /// its own unless that is a terminal.
  [[nodiscard]] ChildProcess::Outputs outputs() const;
  /// Begins to pass on what it prints. Once, when the command was started.
  void begin();
  /// Passes on what is still there, and ends. The last lines; "" for none. What programs print that
  /// the command leaves behind is lost from then on.
  [[nodiscard]] std::string finish();

 private:
  struct Stream {
    int ours = -1;      ///< the end that is read
    int theirs = -1;    ///< the command's; -1 for the stream of the caller
    int to = -1;        ///< where it goes
    std::string begun;  ///< a line without its end
  };

  void pass_on();
  /// Whether there may be more.
  [[nodiscard]] bool pass_on(Stream& stream);
  void keep(Stream& stream, std::string_view text);

  std::array<Stream, 2> streams_;
  std::deque<std::string> lines_;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

}  // namespace watchlab::scenarios
