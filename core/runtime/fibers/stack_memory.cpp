#include "core/runtime/fibers/stack_memory.hpp"

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__)

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace watchlab::runtime {
namespace {

#if defined(__linux__)
constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
#else
constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#endif
constexpr int kGuardInstall = 102;  // MADV_GUARD_INSTALL, which older headers do not name

std::byte* map_at(std::byte* place, std::size_t size, int flags) {
  void* const pages = mmap(place, size, PROT_READ | PROT_WRITE, kFlags | flags, -1, 0);
  if (pages == MAP_FAILED) {
    throw std::bad_alloc();
  }
  return static_cast<std::byte*>(pages);
}

}  // namespace

std::size_t page_size() {
  static const auto kSize = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return kSize;
}

std::byte* map_pages(std::size_t size) { return map_at(nullptr, size, 0); }

void map_pages_again(std::byte* pages, std::size_t size) { (void)map_at(pages, size, MAP_FIXED); }

void unmap_pages(std::byte* pages, std::size_t size) { munmap(pages, size); }

bool set_accessible(std::byte* pages, std::size_t size, bool accessible) {
  return mprotect(pages, size, accessible ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}

bool install_guards(std::byte* pages, std::size_t size, std::size_t stride) {
#if defined(__linux__)
  // They are enough for huge pages, and each would give 2 MiB to whoever touches one byte.
  madvise(pages, size, MADV_NOHUGEPAGE);
  for (std::size_t at = 0; at < size; at += stride) {
    if (madvise(pages + at, page_size(), kGuardInstall) != 0) {
      return false;
    }
  }
  return true;
#else
  (void)kGuardInstall, (void)pages, (void)size, (void)stride;
  return false;
#endif
}

}  // namespace watchlab::runtime

#endif
