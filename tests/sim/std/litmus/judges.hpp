#pragma once

#include "tests/sim/std/litmus/program.hpp"

namespace watchlab::litmus {

/// All outcomes under sequential consistency: those of the interleavings of the threads, each
/// access at once. A weak exchange fails only as a strong one does.
[[nodiscard]] Outcomes sequential_outcomes(const Program& program);

/// All outcomes that RC11 allows, found from its axioms alone: Lahav, Vafeiadis, Kang, Hur, Dreyer,
/// *Repairing Sequential Consistency in C/C++11* (PLDI 2017), with the release sequences of C++20.
/// rc11.cpp has the axioms by their names.
[[nodiscard]] Outcomes rc11_outcomes(const Program& program);

}  // namespace watchlab::litmus
