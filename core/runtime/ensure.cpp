#include "core/runtime/ensure.hpp"

#include <fmt/format.h>

namespace watchlab::runtime {

EnsureFailed::EnsureFailed(std::string_view why, Location here)
    : std::logic_error(fmt::format("{} ({}:{})", why, here.file_name(), here.line())),
      where_(here) {}

void panic_at(std::string_view what, Location here) {
  const std::string_view file = here.file_name();
  throw Panic(fmt::format("{} at {}:{}", what, file.substr(file.rfind('/') + 1), here.line()));
}

void ensure_failed(std::string_view why, Location here) { throw EnsureFailed(why, here); }

}  // namespace watchlab::runtime
