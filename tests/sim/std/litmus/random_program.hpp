#pragma once

#include <cstdint>

#include "tests/sim/std/litmus/program.hpp"

namespace watchlab::litmus {

/// A program of two or three threads, one to three locations, and one to three accesses a thread,
/// with fences and guards between them. The same for the same seed.
[[nodiscard]] Program random_program(std::uint64_t seed);

}  // namespace watchlab::litmus
