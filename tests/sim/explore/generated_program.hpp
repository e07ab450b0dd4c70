#pragma once

#include <cstdint>
#include <string>

#include "tests/sim/explore/enumeration.hpp"
#include "tests/sim/explore/program_listing.hpp"

namespace watchlab::sim {

/// A small program that depends on nothing but the seed: two to four tasks, each with a few
/// instructions over mutexes, a condition, channels with and without a buffer, atomics, a
/// readers-writer lock, a wait group, sleeps and timers. It may deadlock; it never fails otherwise.
[[nodiscard]] Program generated_program(std::uint64_t seed, Outcome& outcome);

/// A program that carries out a listing.
[[nodiscard]] Program program_from(const Listing& listing, std::string title, Outcome& outcome);

}  // namespace watchlab::sim
