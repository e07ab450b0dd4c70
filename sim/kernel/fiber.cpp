#include "sim/kernel/fiber.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/quiet.hpp"

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
  mappings_.push_back({.address = base, .size = guard + kStackSize});
  free_.push_back({.bottom = base + guard, .size = kStackSize});
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

void Fiber::begin(boost::context::detail::transfer_t jump) {
  const Fiber& here = arrive(jump);
  here.entry_(here.argument_);
}

}  // namespace watchlab::sim
