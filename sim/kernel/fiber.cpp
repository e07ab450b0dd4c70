#include "sim/kernel/fiber.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "core/runtime/ensure.hpp"

#if defined(WATCHLAB_ASAN)
#include <sanitizer/asan_interface.h>
#endif
#if defined(WATCHLAB_TSAN)
#include <sys/single_threaded.h>
#endif

namespace watchlab::sim {
namespace {

#if defined(WATCHLAB_ASAN) || defined(WATCHLAB_TSAN)
constexpr std::size_t kStackSize = std::size_t{512} * 1024;
#else
constexpr std::size_t kStackSize = std::size_t{128} * 1024;
#endif
constexpr std::size_t kGuardedMax = 8000;  // two maps each, of 65,530 that a process may have
constexpr std::size_t kStacksPerSlab = 64;
constexpr std::uint64_t kCanary = 0x5741544348A5A5A5ULL;
/// By how much the tops of stacks differ: where all lay at the same place of a page, the frames of
/// a dozen tasks would fight for the same few lines of the processor's first cache.
constexpr std::size_t kShift = 320;
constexpr std::size_t kShifts = 12;

void* map_memory(std::size_t size) {
  void* const address = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (address == MAP_FAILED) {
    throw std::bad_alloc();
  }
  return address;
}

#if defined(WATCHLAB_TSAN)
void map_again(const Stack& stack) {
  if (mmap(stack.bottom, stack.size, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_FIXED, -1,
           0) == MAP_FAILED) {
    throw std::bad_alloc();
  }
  if (stack.has_canary) {
    std::memcpy(stack.bottom, &kCanary, sizeof kCanary);
  }
}
#endif

std::size_t page_size() {
  static const auto kSize = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return kSize;
}

}  // namespace

StackPool::~StackPool() {
  for (const Mapping& mapping : mappings_) {
    munmap(mapping.address, mapping.size);
  }
}

Stack StackPool::take() {
  if (free_.empty()) {
    if (mappings_.size() < kGuardedMax) {
      map_guarded();
    } else {
      map_slab();
    }
  }
  const Stack stack = free_.back();
  free_.pop_back();
#if defined(WATCHLAB_ASAN)
  // What ran here before left its redzones behind.
  __asan_unpoison_memory_region(stack.bottom, stack.size);
#endif
#if defined(WATCHLAB_TSAN)
  // What ran here before is not ordered with what will, and yet no race: these are other variables.
  // Memory that is mapped anew has no past.
  const Quiet quiet;
  map_again(stack);
#endif
  return stack;
}

void StackPool::give_back(const Stack& stack) {
  if (stack.has_canary) {
    std::uint64_t canary = 0;
    std::memcpy(&canary, stack.bottom, sizeof canary);
    runtime::ensure(canary == kCanary, "a task overflowed its stack");
  }
  free_.push_back(stack);
}

void StackPool::map_guarded() {
  const std::size_t guard = page_size();
  auto* const base = static_cast<std::byte*>(map_memory(guard + kStackSize));
  mprotect(base, guard, PROT_NONE);
  const std::size_t shift = mappings_.size() % kShifts * kShift;
  mappings_.push_back({.address = base, .size = guard + kStackSize});
  free_.push_back({.bottom = base + guard, .size = kStackSize - shift});
}

void StackPool::map_slab() {
  const std::size_t guard = page_size();
  const std::size_t size = guard + kStackSize * kStacksPerSlab;
  auto* const base = static_cast<std::byte*>(map_memory(size));
  mprotect(base, guard, PROT_NONE);
  mappings_.push_back({.address = base, .size = size});
  for (std::size_t i = 0; i < kStacksPerSlab; ++i) {
    std::byte* const bottom = base + guard + i * kStackSize;
    std::memcpy(bottom, &kCanary, sizeof kCanary);
    free_.push_back({.bottom = bottom, .size = kStackSize, .has_canary = true});
  }
}

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

#else

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
  // are threads to ThreadSanitizer, which would call that a race.
  __libc_single_threaded = 0;
  tsan_ = __tsan_create_fiber(0);
#endif
}

#endif

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
  tsan_ = nullptr;  // leaked: ThreadSanitizer refuses to end a fiber inside of a `Quiet`
#endif
}

}  // namespace watchlab::sim
