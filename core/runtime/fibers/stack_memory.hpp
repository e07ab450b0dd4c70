#pragma once

#include <cstddef>

namespace watchlab::runtime {

// Pages of memory, which stacks are made of. Each system calls this otherwise: stack_memory.cpp has
// it for POSIX, stack_memory_windows.cpp for Windows, stack_memory_wasm.cpp for WebAssembly.

[[nodiscard]] std::size_t page_size();

/// Fresh pages of zeroes, which take up memory only once they are touched. `size` is a multiple of
/// `page_size()`, here and below. Throws std::bad_alloc.
[[nodiscard]] std::byte* map_pages(std::size_t size);
/// Replaces pages by fresh ones at the same place. Throws std::bad_alloc.
void map_pages_again(std::byte* pages, std::size_t size);
void unmap_pages(std::byte* pages, std::size_t size);

/// Makes pages ones that nobody may touch, or ordinary ones again. False if the system refuses.
bool set_accessible(std::byte* pages, std::size_t size, bool accessible);

/// Makes the first page of every `stride` bytes one that nobody may touch, without a map of its own
/// for each. False where the kernel cannot do that; then some may have been made.
[[nodiscard]] bool install_guards(std::byte* pages, std::size_t size, std::size_t stride);

}  // namespace watchlab::runtime
