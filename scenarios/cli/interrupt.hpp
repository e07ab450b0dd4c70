#pragma once

namespace watchlab::scenarios {

/// Makes Ctrl-C, SIGTERM and SIGHUP requests to stop soon, so that a command can say what it has
/// learned. The second one ends the program at once, as if there were none of these in place. A
/// SIGHUP that the caller ignores, as nohup does, stays ignored.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  /// Whether a stop was requested. From any thread.
  [[nodiscard]] static bool requested();
};

}  // namespace watchlab::scenarios
