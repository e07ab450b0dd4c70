#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/runtime/runtime.hpp"

namespace watchlab::scenarios {

// Small programs on the runtime, for stories about parts that no client of a server shows: a
// scenario names one with `program: NAME`, and is then run, explored, shrunk and drawn like any
// other. A program is the root task of its run; whatever makes a run fail makes it fail: a panic,
// a deadlock, a task that it leaves behind, a broken expectation that it throws.

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

// The families of programs, a source each. A program is a function of its family's source and a
// row at the end of it. Each is the root task of a run.

/// How tasks start, join, leave and stop a shared informer.
[[nodiscard]] std::vector<Program> informer_programs();
/// What the handlers of a shared informer receive, after panics, relists and resyncs.
[[nodiscard]] std::vector<Program> handler_programs();
/// What informers and queues of 0.33 to 0.37 make of lists, streams, pauses and panics.
[[nodiscard]] std::vector<Program> modern_programs();
/// What a queue makes of the lists that it is given.
[[nodiscard]] std::vector<Program> queue_programs();
/// How watches and those who feed them are left and stopped.
[[nodiscard]] std::vector<Program> watch_programs();

}  // namespace watchlab::scenarios
