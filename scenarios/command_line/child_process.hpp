#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace watchlab::scenarios {

/// The words of a command as a user pastes them into a shell, each after a space. Line breaks and
/// what else would not survive being printed are written as `$'\n'`, which bash and zsh read.
[[nodiscard]] std::string for_shell(const std::vector<std::string>& words);
/// One word of those.
[[nodiscard]] std::string word_for_shell(const std::string& word);
/// The same for a program that hands it to /bin/sh, which reads no `$'\n'`.
[[nodiscard]] std::string word_for_sh(const std::string& word);

/// A program that another one starts and waits for.
class ChildProcess {
 public:
  using Variables = std::vector<std::pair<std::string, std::string>>;
  /// Descriptors for what it prints and for what it says of errors.
  struct Outputs {
    int out = -1;
    int err = -1;
    bool keeps_input = false;  ///< it reads what the caller would; else it has nothing to read
    bool has_group = true;     ///< it leads a process group, which `signal` reaches as a whole
  };

  /// Starts it, with these variables in its environment beside the caller's. It has the caller's
  /// standard streams, or these `outputs`. Throws, with a sentence, `std::invalid_argument` when
  /// there is no such program or it is none, and `std::runtime_error` when the system cannot start
  /// one.
  ChildProcess(const std::vector<std::string>& command, const Variables& variables,
               std::optional<Outputs> outputs = {});
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Ends it, if it runs.
  ~ChildProcess();

  /// How it ended, as a shell says that: its status, or 128 and the signal; nothing while it runs.
  [[nodiscard]] std::optional<int> ended();
  /// Waits until it has ended; how, as `ended` says it.
  int wait();
  /// The signal that ended it; 0 for one that ended by itself, or runs.
  [[nodiscard]] int ended_by() const { return ended_by_; }
  /// Sends it a signal, if it runs.
  void signal(int number) const;
  /// Ends it, and what it has left of its group: asks with SIGTERM, and kills after that time.
  void end(std::chrono::milliseconds grace);

 private:
  void note(int status);
  /// Whether it runs, or a program of its group.
  [[nodiscard]] bool lives();

  int process_ = -1;
  bool has_group_ = false;
  std::optional<int> status_;
  int ended_by_ = 0;
};

}  // namespace watchlab::scenarios
