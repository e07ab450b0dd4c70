#pragma once

#include <string>
#include <string_view>

#include "core/runtime/ensure.hpp"

namespace watchlab::sim {

/// "delta_fifo.cpp:42": the file without its folder, for people.
[[nodiscard]] inline std::string place_text(const runtime::Location& here) {
  const std::string_view file = here.file_name();
  return std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(here.line());
}

}  // namespace watchlab::sim
