#pragma once

#include <array>
#include <chrono>

namespace watchlab::scenarios {

/// Ctrl-C, SIGTERM and SIGHUP end the program at once from now on, as they end a command that has
/// been stopped: with a word on standard error and with status 130. For all commands that have
/// nothing to say then, and while none of these is in place that do. A signal that the caller
/// ignores stays ignored.
void end_when_stopped();

/// Makes Ctrl-C, SIGTERM and SIGHUP requests to stop soon, so that a command can say what it has
/// learned. The second one ends the program at once, as if there were none of these in place;
/// those within `together` of the first are one with it: `timeout` sends each signal to its child
/// and to the group of that. After a request this holds until the program has ended. A SIGHUP that
/// the caller ignores, as nohup does, stays ignored.
class Interrupt {
 public:
  explicit Interrupt(std::chrono::milliseconds together = std::chrono::seconds(1));
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  /// Whether a stop was requested. From any thread.
  [[nodiscard]] static bool requested();

 private:
  std::array<void (*)(int), 3> before_{};
};

}  // namespace watchlab::scenarios
