#include "core/runtime/fibers/switch.hpp"

#include <cxxabi.h>

#include <cstdint>

#if defined(WATCHLAB_TSAN)
#include <sys/single_threaded.h>
#endif

#if defined(_LIBCPP_VERSION)
// libc++abi has it, as the ABI wants, but its <cxxabi.h> does not declare it.
namespace __cxxabiv1 {
struct __cxa_eh_globals;
extern "C" __cxa_eh_globals* __cxa_get_globals() noexcept;
}  // namespace __cxxabiv1
#endif

namespace watchlab::runtime {

ExceptionState* exception_state_of_this_thread() {
  return reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals());
}

#if defined(WATCHLAB_OWN_SWITCH)

// The registers that `prepare` lays out below are popped in this order.
__asm__(R"(
  .pushsection .text
  .p2align 4
  .globl watchlab_switch_stack
  .type watchlab_switch_stack, @function
watchlab_switch_stack:
  .cfi_startproc
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  pushq %r12
  .cfi_adjust_cfa_offset 8
  pushq %r13
  .cfi_adjust_cfa_offset 8
  pushq %r14
  .cfi_adjust_cfa_offset 8
  pushq %r15
  .cfi_adjust_cfa_offset 8
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  .cfi_adjust_cfa_offset -8
  popq %r14
  .cfi_adjust_cfa_offset -8
  popq %r13
  .cfi_adjust_cfa_offset -8
  popq %r12
  .cfi_adjust_cfa_offset -8
  popq %rbx
  .cfi_adjust_cfa_offset -8
  popq %rbp
  .cfi_adjust_cfa_offset -8
  ret
  .cfi_endproc
  .size watchlab_switch_stack, .-watchlab_switch_stack

  .p2align 4
  .type watchlab_enter_fiber, @function
watchlab_enter_fiber:
  .cfi_startproc
  .cfi_undefined rip
  movq %r12, %rdi
  callq *%rbx
  ud2
  .cfi_endproc
  .size watchlab_enter_fiber, .-watchlab_enter_fiber
  .popsection
)");

extern "C" void watchlab_enter_fiber();

void Fiber::prepare(const Stack& stack, Entry entry, void* argument) {
  exceptions_ = {};
  // A call finds the stack aligned to 16 bytes, and `ret` has just taken its own word off it.
  const auto top = reinterpret_cast<std::uintptr_t>(stack.top()) & ~std::uintptr_t{15};
  auto* const frame = reinterpret_cast<void**>(top) - 9;
  frame[0] = frame[1] = frame[2] = nullptr;   // r15, r14, r13
  frame[3] = argument;                        // r12
  frame[4] = reinterpret_cast<void*>(entry);  // rbx
  frame[5] = nullptr;                         // rbp: here a walk over the frames stops
  frame[6] = reinterpret_cast<void*>(&watchlab_enter_fiber);
  context_ = frame;
}

#elif !defined(WATCHLAB_WASM_SWITCH)

void Fiber::begin(boost::context::detail::transfer_t jump) {
  const Fiber& here = arrive(jump);
  here.entry_(here.argument_);
}

void Fiber::prepare(const Stack& stack, Entry entry, void* argument) {
  entry_ = entry;
  argument_ = argument;
  exceptions_ = {};
  context_ = boost::context::detail::make_fcontext(stack.top(), stack.size, &Fiber::begin);
#if defined(WATCHLAB_ASAN)
  fake_stack_ = nullptr;
  bottom_ = stack.bottom;
  size_ = stack.size;
#endif
#if defined(WATCHLAB_TSAN)
  // While a process has one thread, the C++ library counts references without atomics. Here tasks
  // are threads to ThreadSanitizer, which would call that a race, as it would a second write.
  if (__libc_single_threaded != 0) {
    __libc_single_threaded = 0;
  }
  if (tsan_ != nullptr && owns_tsan_) {
    __tsan_destroy_fiber(tsan_);  // of what ran here before
  }
  tsan_ = __tsan_create_fiber(0);
#endif
}

#endif

#if !defined(WATCHLAB_WASM_SWITCH)

Fiber::~Fiber() {
#if defined(WATCHLAB_TSAN)
  if (tsan_ != nullptr && owns_tsan_) {
    __tsan_destroy_fiber(tsan_);
  }
#endif
}

void Fiber::forget() {
  context_ = nullptr;
#if defined(WATCHLAB_TSAN)
  // It comes to no end that could order what it did before what is done with the same memory now.
  if (tsan_ != nullptr) {
    void* const here = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(tsan_, __tsan_switch_to_fiber_no_sync);
    __tsan_switch_to_fiber(here, 0);
  }
  tsan_ = nullptr;  // leaked: ThreadSanitizer refuses to end a fiber inside of a `Quiet`
#endif
}

#endif

}  // namespace watchlab::runtime
