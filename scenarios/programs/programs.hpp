#pragma once

#include <vector>

#include "scenarios/programs/catalogue.hpp"

/// The families of programs, a source each. A program is a function of its family's source and a
/// row at the end of it. Each is the root task of a run.
namespace watchlab::scenarios {

/// How tasks start, join, leave and stop a shared informer.
[[nodiscard]] std::vector<Program> informer_programs();
/// What the handlers of a shared informer are told, after panics, relists and resyncs.
[[nodiscard]] std::vector<Program> handler_programs();
/// What a queue makes of the lists that it is given.
[[nodiscard]] std::vector<Program> queue_programs();
/// How watches and those who feed them are left and stopped.
[[nodiscard]] std::vector<Program> watch_programs();

}  // namespace watchlab::scenarios
