#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "exercises/toolkit/seccomp_filter.hpp"

namespace watchlab::course {
namespace {

/// No kernel has more of them.
constexpr std::size_t kPagesMax = 16;

/// The list of what is mapped cannot be read here. But of all that a program has in memory, the
/// kernel refuses this advice, which changes nothing, for what it has mapped there itself.
bool is_of_the_kernel(void* page, std::size_t size) {
  return ::madvise(page, size, MADV_DOFORK) != 0 && errno == EINVAL;
}

}  // namespace

/// They end where the functions begin.
bool unmap_clock_page() {
  const std::uintptr_t functions = ::getauxval(AT_SYSINFO_EHDR);
  const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  if (functions == 0) {
    return true;  // a kernel without: every question is a system call
  }
  std::size_t pages = 0;
  while (pages < kPagesMax &&
         is_of_the_kernel(reinterpret_cast<void*>(functions - (pages + 1) * size), size)) {
    ++pages;
  }
  return pages > 0 &&
         ::munmap(reinterpret_cast<void*>(functions - pages * size), pages * size) == 0;
}

}  // namespace watchlab::course
