#pragma once

#include <cstdint>

#include "tests/sim/explore/enumeration.hpp"

namespace watchlab::sim {

/// A small program that depends on nothing but the seed: two to four tasks, each with a few
/// instructions over mutexes, a condition, channels with and without a buffer, atomics, a
/// readers-writer lock, a wait group, sleeps and timers. It may deadlock; it never fails otherwise.
[[nodiscard]] Program generated_program(std::uint64_t seed, Outcome& outcome);

}  // namespace watchlab::sim
