#pragma once

#include "core/runtime/fibers/stack_pool.hpp"
#include "core/runtime/fibers/switch.hpp"

namespace watchlab::sim {

using runtime::exception_state_of_this_thread;
using runtime::ExceptionState;
using runtime::Fiber;
using runtime::Quiet;
using runtime::Stack;
using runtime::StackPool;

/// A value that no two OS threads have at one time. It is looked at in each operation, so it is
/// read from a register, which is the thread's own on Linux.
inline const void* thread_mark() {
#if defined(__linux__) && defined(__has_builtin) && __has_builtin(__builtin_thread_pointer)
  return __builtin_thread_pointer();
#else
  return exception_state_of_this_thread();
#endif
}

}  // namespace watchlab::sim
