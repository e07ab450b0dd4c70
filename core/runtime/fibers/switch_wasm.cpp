#include "core/runtime/fibers/switch.hpp"

#if defined(WATCHLAB_WASM_SWITCH)

#include <emscripten/stack.h>

#include <cstddef>
#include <cstdint>

#include "core/runtime/fibers/stack_pool.hpp"

// A line of execution is kept by the engine: all of its calls and their variables, but not what has
// an address, which stands on our stack in memory. So a switch is a call of JavaScript that comes
// back later (see switch_wasm.js), and each fiber sets the pointer of the stack when it comes back.
namespace watchlab::runtime {
namespace {

extern "C" {
/// Continues in `to`, and returns when somebody continues in `from`: whether it was forgotten.
bool watchlab_leave_fiber(Fiber* from, Fiber* to);
/// The same, for a line of execution whose fiber has come to its end. Returns the next fiber that
/// begins: to make a line of execution costs a hundred times as much as to go on with one.
Fiber* watchlab_park_fiber(Fiber* to);
void watchlab_prepare_fiber(Fiber* fiber, void* top);
void watchlab_forget_fiber(Fiber* fiber);
/// Ends the call of the program: a task overflowed its stack.
void watchlab_fail_fiber();
void _emscripten_stack_restore(void* pointer);  // NOLINT: the name is Emscripten's
}

/// What a call of JavaScript may leave below the pointer.
constexpr std::size_t kLeast = 64;

void* aligned_top(const Stack& stack) {
  return stack.top() - reinterpret_cast<std::uintptr_t>(stack.top()) % 16;
}

}  // namespace

/// There is no page below a stack that nobody may touch, so each switch looks at where it stands.
/// What was overwritten may be anybody's: nothing goes on.
void Fiber::leave(Fiber& to, bool last) {
  if (last) {
    successor_ = &to;
    return;
  }
  const std::uintptr_t here = emscripten_stack_get_current();
  const auto bottom = reinterpret_cast<std::uintptr_t>(stack_.bottom);
  if (bottom != 0 && (here < bottom + kLeast || !StackPool::is_intact(stack_))) {
    watchlab_fail_fiber();
    __builtin_trap();
  }
  context_ = reinterpret_cast<void*>(here);  // NOLINT(performance-no-int-to-ptr)
  if (watchlab_leave_fiber(this, &to)) {
    __builtin_trap();  // no catch sees that, and its stack may be another's by now
  }
  _emscripten_stack_restore(context_);
}

void Fiber::prepare(const Stack& stack, Entry entry, void* argument) {
  entry_ = entry;
  argument_ = argument;
  stack_ = stack;
  exceptions_ = {};
  watchlab_prepare_fiber(this, aligned_top(stack));
}

/// A line of execution, entered with the pointer at the top of a stack. Nothing of its own stands
/// in memory, since the next fiber has another stack.
extern "C" __attribute__((used, export_name("watchlab_run_fibers"))) void watchlab_run_fibers(
    Fiber* fiber) {
  for (;;) {
    fiber->entry_(fiber->argument_);
    fiber = watchlab_park_fiber(fiber->successor_);
    _emscripten_stack_restore(aligned_top(fiber->stack_));
  }
}

Fiber::~Fiber() = default;

void Fiber::forget() {
  context_ = nullptr;
  watchlab_forget_fiber(this);
}

}  // namespace watchlab::runtime

#endif
