#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace watchlab::runtime {

class FiberTask;

/// Makes the tasks of one scheduler known to debuggers while it lives. A debugger has no `Runtime&`
/// to start from, so there is one list of all of them in a process, the symbol `watchlab_fibers`;
/// watchlab_gdb.py reads it, and nothing else does.
class DebuggerEntry {
 public:
  explicit DebuggerEntry(const std::vector<std::unique_ptr<FiberTask>>& tasks);
  DebuggerEntry(const DebuggerEntry&) = delete;
  DebuggerEntry& operator=(const DebuggerEntry&) = delete;
  ~DebuggerEntry();

 private:
  // The script knows the places of these two.
  DebuggerEntry* next_ = nullptr;
  const std::vector<std::unique_ptr<FiberTask>>* tasks_;
};

/// From now on a fiber that runs into the guard page below its stack ends the process with a
/// message that names it. Faults of any other kind go to the handler that there was before. Any
/// thread may call it, again too: another handler may have been installed meanwhile.
void report_stack_overflows();

/// While it lives, signal handlers of the calling thread have a stack of their own: that of the
/// fiber is what is used up.
class SignalStack {
 public:
  SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;
  ~SignalStack();

 private:
  std::vector<std::byte> memory_;  ///< none where the thread has such a stack already
};

}  // namespace watchlab::runtime
