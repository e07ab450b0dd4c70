#include "core/runtime/ensure.hpp"

#include <fmt/format.h>

namespace watchlab::runtime {

EnsureFailed::EnsureFailed(std::string_view why, Location here)
    : std::logic_error(fmt::format("{} ({}:{})", why, here.file_name(), here.line())),
      where_(here) {}

void ensure_failed(std::string_view why, Location here) { throw EnsureFailed(why, here); }

}  // namespace watchlab::runtime
