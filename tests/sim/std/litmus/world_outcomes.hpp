#pragma once

#include "sim/explore/explore.hpp"
#include "tests/sim/std/litmus/program.hpp"

namespace watchlab::litmus {

/// What an exploration of a program with the atomics of watchlab/std has seen.
struct Explored {
  Outcomes outcomes;
  bool whole = false;  ///< the search was exhausted and found no failure
  std::size_t executions = 0;
  std::string failure;  ///< its sentence, if there is one
};

[[nodiscard]] Explored explored(const Program& program, sim::Memory memory,
                                const std::string& strategy);

}  // namespace watchlab::litmus
