#pragma once

#include <chrono>
#include <cstddef>

namespace watchlab::sim {

class Scheduler;

/// While it lives, the run of this scheduler is watched: if no task does an operation while its
/// thread computes for a minute, or waits for ten, the process ends with a message that names the
/// task, and with status 1. The task loops without an operation, or it waits for something outside
/// of the world, such as a std::mutex that another task holds, or a thread of the system; nothing
/// inside the world could end either. A minute is one of processor time, so that a machine that is
/// busy with others ends no run that computes.
///
/// A timer of the kernel looks, by a signal (SIGURG, which does nothing in a process that does not
/// handle it): with a second thread in the process, every count of references would become atomic.
/// Of a thread that waits it counts how often it has looked, so that the time in which the process
/// was stopped, as in a debugger, does not count. A run is not changed by it. Runs beyond the 32nd
/// at one time are not watched, and none is where the program handles that signal itself, nor on
/// other systems than Linux, which have no such timer.
class Watch {
 public:
  explicit Watch(const Scheduler& scheduler);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();

  /// Applies from the next run on: to processor time, and ten times as long to what waits. Zero
  /// turns it off. The default is a minute, or the number of seconds in the environment variable
  /// WATCHLAB_STANDSTILL.
  static void set_limit(std::chrono::milliseconds limit);

 private:
  std::size_t place_;
};

}  // namespace watchlab::sim
