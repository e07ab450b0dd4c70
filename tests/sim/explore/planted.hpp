#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "core/runtime/runtime.hpp"

namespace watchlab::tests {

/// A small concurrent program with one known mistake, among much work that has nothing to do with
/// it.
struct Planted {
  std::string_view name;
  std::string_view kind;                                   ///< of the failure
  std::string_view words;                                  ///< in its sentence
  std::size_t preemptions_min;                             ///< that it takes
  std::function<void(runtime::Runtime&, int noise)> body;  ///< `noise` operations a task
};

/// Ten of them.
[[nodiscard]] const std::vector<Planted>& planted_bugs();

/// Programs of many tasks with one known mistake each. When no task is interrupted, any order of
/// so many tasks is possible, so that the runs with few preemptions cannot all be looked through.
/// `noise` means nothing to them.
[[nodiscard]] const std::vector<Planted>& wide_bugs();

}  // namespace watchlab::tests
