#pragma once

#include <cstddef>
#include <vector>

namespace watchlab::runtime {

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
