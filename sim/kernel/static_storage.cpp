#include "sim/kernel/static_storage.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "sim/kernel/mix.hpp"

#if defined(__has_include) && __has_include(<link.h>)
#include <link.h>
#endif

namespace watchlab::sim {
namespace {

/// Memory of a loaded program or library that can be written: its variables.
struct WritableSegment {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::uintptr_t loaded_at = 0;  ///< differs between processes
  std::uint64_t module = 0;
};

#if defined(__has_include) && __has_include(<link.h>)

int add_segments(dl_phdr_info* module, std::size_t /*size*/, void* segments) {
  const std::string_view path = module->dlpi_name;  // empty for the program itself
  const std::uint64_t name = digest_of(path.substr(path.rfind('/') + 1));
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const auto& header = module->dlpi_phdr[i];
    if (header.p_type == PT_LOAD && (header.p_flags & PF_W) != 0) {
      const std::uintptr_t begin = module->dlpi_addr + header.p_vaddr;
      static_cast<std::vector<WritableSegment>*>(segments)->push_back(
          {begin, begin + header.p_memsz, module->dlpi_addr, name});
    }
  }
  return 0;
}

std::vector<WritableSegment> list_segments() {
  std::vector<WritableSegment> segments;
  dl_iterate_phdr(add_segments, &segments);
  std::ranges::sort(segments, {}, &WritableSegment::begin);
  return segments;
}

#else

std::vector<WritableSegment> list_segments() { return {}; }

#endif

}  // namespace

std::uint64_t place_in_program(const void* object) {
  static const std::vector<WritableSegment> kSegments = list_segments();
  const auto place = reinterpret_cast<std::uintptr_t>(object);
  auto after = std::ranges::upper_bound(kSegments, place, {}, &WritableSegment::begin);
  if (after == kSegments.begin() || place >= (--after)->end) {
    return 0;
  }
  return mix(mix(digest_of("static"), after->module), place - after->loaded_at);
}

}  // namespace watchlab::sim
