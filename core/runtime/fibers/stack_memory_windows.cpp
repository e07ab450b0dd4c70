#include "core/runtime/fibers/stack_memory.hpp"

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <new>

namespace watchlab::runtime {

std::size_t page_size() {
  static const std::size_t kSize = [] {
    SYSTEM_INFO system{};
    GetSystemInfo(&system);
    return std::size_t{system.dwPageSize};
  }();
  return kSize;
}

std::byte* map_pages(std::size_t size) {
  void* const pages = VirtualAlloc(nullptr, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (pages == nullptr) {
    throw std::bad_alloc();
  }
  return static_cast<std::byte*>(pages);
}

void map_pages_again(std::byte* pages, std::size_t size) {
  if (VirtualFree(pages, size, MEM_DECOMMIT) == 0 ||
      VirtualAlloc(pages, size, MEM_COMMIT, PAGE_READWRITE) == nullptr) {
    throw std::bad_alloc();
  }
}

void unmap_pages(std::byte* pages, std::size_t /*size*/) { VirtualFree(pages, 0, MEM_RELEASE); }

bool set_accessible(std::byte* pages, std::size_t size, bool accessible) {
  DWORD before = 0;
  return VirtualProtect(pages, size, accessible ? PAGE_READWRITE : PAGE_NOACCESS, &before) != 0;
}

bool install_guards(std::byte* /*pages*/, std::size_t /*size*/, std::size_t /*stride*/) {
  return false;
}

}  // namespace watchlab::runtime

#endif
