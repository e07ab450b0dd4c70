#include "core/runtime/fibers/stack_memory.hpp"

#if defined(__EMSCRIPTEN__)

#include <cstdlib>
#include <cstring>
#include <new>

namespace watchlab::runtime {

std::size_t page_size() { return 4096; }

std::byte* map_pages(std::size_t size) {
  void* const pages = std::aligned_alloc(page_size(), size);
  if (pages == nullptr) {
    throw std::bad_alloc();
  }
  map_pages_again(static_cast<std::byte*>(pages), size);
  return static_cast<std::byte*>(pages);
}

void map_pages_again(std::byte* pages, std::size_t size) { std::memset(pages, 0, size); }

void unmap_pages(std::byte* pages, std::size_t /*size*/) { std::free(pages); }

bool set_accessible(std::byte* /*pages*/, std::size_t /*size*/, bool /*accessible*/) {
  return false;
}

bool install_guards(std::byte* /*pages*/, std::size_t /*size*/, std::size_t /*stride*/) {
  return false;
}

}  // namespace watchlab::runtime

#endif
