#include "core/runtime/fibers/stack_pool.hpp"

#include <cstdint>
#include <cstring>

#include "core/runtime/ensure.hpp"
#include "core/runtime/fibers/stack_memory.hpp"

#if defined(WATCHLAB_ASAN)
#include <sanitizer/asan_interface.h>
#endif

namespace watchlab::runtime {
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

void unmap(std::byte* pages, std::size_t size) {
#if defined(WATCHLAB_ASAN)
  // The redzones of what ran there would be those of whatever is mapped there next.
  __asan_unpoison_memory_region(pages, size);
#endif
  unmap_pages(pages, size);
}

#if defined(WATCHLAB_TSAN)
void map_again(const Stack& stack) {
  map_pages_again(stack.bottom, stack.size);
  if (stack.has_canary) {
    std::memcpy(stack.bottom, &kCanary, sizeof kCanary);
  }
}
#endif

}  // namespace

StackPool::StackPool(const StackPoolOptions& options)
    : stack_size_(options.stack_size == 0
                      ? kStackSize
                      : (options.stack_size + page_size() - 1) / page_size() * page_size()),
      in_slabs_(options.in_slabs) {}

StackPool::~StackPool() {
  for (const Mapping& mapping : mappings_) {
    unmap(static_cast<std::byte*>(mapping.address), mapping.size);
  }
}

Stack StackPool::take() {
  if (free_.empty() && !map_slab_of_guarded()) {
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
  ensure(is_intact(stack), "a task overflowed its stack");
  free_.push_back(stack);
}

bool StackPool::is_intact(const Stack& stack) {
  std::uint64_t canary = kCanary;
  if (stack.has_canary) {
    std::memcpy(&canary, stack.bottom, sizeof canary);
  }
  return canary == kCanary;
}

void StackPool::map_guarded() {
  const std::size_t guard = page_size();
  std::byte* const base = map_pages(guard + stack_size_);
  const bool is_guarded = set_accessible(base, guard, false);
  const std::size_t shift = mappings_.size() % kShifts * kShift;
  mappings_.push_back({.address = base, .size = guard + stack_size_});
  free_.push_back({.bottom = base + guard, .size = stack_size_ - shift, .has_canary = !is_guarded});
  if (!is_guarded) {
    std::memcpy(base + guard, &kCanary, sizeof kCanary);
  }
}

void StackPool::map_slab() {
  const std::size_t guard = page_size();
  const std::size_t size = guard + stack_size_ * kStacksPerSlab;
  std::byte* const base = map_pages(size);
  set_accessible(base, guard, false);
  mappings_.push_back({.address = base, .size = size});
  for (std::size_t i = 0; i < kStacksPerSlab; ++i) {
    std::byte* const bottom = base + guard + i * stack_size_;
    std::memcpy(bottom, &kCanary, sizeof kCanary);
    free_.push_back({.bottom = bottom, .size = stack_size_, .has_canary = true});
  }
}

bool StackPool::map_slab_of_guarded() {
  if (!in_slabs_) {
    return false;
  }
  const std::size_t guard = page_size();
  const std::size_t stride = guard + stack_size_;
  const std::size_t size = stride * kStacksPerSlab;
  std::byte* const base = map_pages(size);
  if (!install_guards(base, size, stride)) {
    unmap_pages(base, size);
    in_slabs_ = false;
    return false;
  }
  mappings_.push_back({.address = base, .size = size});
  // The last one is taken first.
  for (std::size_t i = kStacksPerSlab; i-- > 0;) {
    free_.push_back(
        {.bottom = base + i * stride + guard, .size = stack_size_ - i % kShifts * kShift});
  }
  return true;
}

}  // namespace watchlab::runtime
