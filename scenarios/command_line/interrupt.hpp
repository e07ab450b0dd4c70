#pragma once

#include <array>
#include <chrono>

namespace watchlab::scenarios {

/// The first that a program does: from now on Ctrl-C, SIGTERM and SIGHUP are noted as requests to
/// stop, also those that came before and were blocked, so that none is lost before it is clear
/// which command it is about. A signal that the caller ignores stays ignored.
void note_signals();

/// Such a signal ends the program at once from now on, as it ends a command that has been stopped:
/// with a word on standard error and with status 130; also when it was noted before. For all
/// commands that have nothing to say then, and while none of these is in place that do. A signal
/// that the caller ignores stays ignored.
void end_when_stopped();

/// Before the process becomes another program that begins with `note_signals`: a request that was
/// noted, or comes until then, is one to that program.
void keep_signals_for_the_next_program();

/// Signals that come within this time are one request.
constexpr std::chrono::seconds kTogether(1);

/// Makes Ctrl-C, SIGTERM and SIGHUP requests to stop soon, so that a command can say what it has
/// learned; one that was noted before is such a request. The second one ends the program at once,
/// as if there were none of these in place; those within `together` of the first are one with it:
/// `timeout` sends each signal to its child and to the group of that. After a request this holds
/// until the program has ended. A SIGHUP that the caller ignores, as nohup does, stays ignored.
class Interrupt {
 public:
  explicit Interrupt(std::chrono::milliseconds together = kTogether);
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  /// Whether a stop was requested. From any thread.
  [[nodiscard]] static bool requested() { return signal() != 0; }
  /// By which signal; 0 for none.
  [[nodiscard]] static int signal();

 private:
  std::array<void (*)(int), 3> before_{};
};

}  // namespace watchlab::scenarios
