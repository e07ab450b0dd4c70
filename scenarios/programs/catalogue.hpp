#pragma once

#include <span>
#include <string_view>

#include "core/runtime/runtime.hpp"

/// Small programs on the runtime, for stories about parts that no client of a server shows: a
/// scenario names one with `program: NAME`, and is then run, explored, shrunk and drawn like any
/// other. A program is the root task of its run; whatever makes a run fail makes it fail: a panic,
/// a deadlock, a task that it leaves behind, a broken expectation that it throws.
namespace watchlab::scenarios {

struct Program {
  std::string_view name;
  std::string_view doc;  ///< what it does, in one sentence
  void (*play)(runtime::Runtime& runtime);
  bool holds = true;  ///< false: it shows a mistake that core has, as the version that it mirrors
};

/// All programs, in alphabetical order. A further one is a function and a row of its family.
[[nodiscard]] std::span<const Program> program_catalogue();

/// The program of that name, or null.
[[nodiscard]] const Program* find_program(std::string_view name);

}  // namespace watchlab::scenarios
