#pragma once

#include <chrono>

namespace watchlab::scenarios {

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
};

}  // namespace watchlab::scenarios
