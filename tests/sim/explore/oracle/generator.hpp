#pragma once

#include <cstdint>

#include "tests/sim/explore/oracle/listing.hpp"

namespace watchlab::sim::oracle {

/// The listing of that seed: two to six tasks, at most twelve instructions in all, over everything
/// that there is a `Verb` for. A seed picks a theme first, so that what belongs together meets.
[[nodiscard]] Listing generate(std::uint64_t seed);

}  // namespace watchlab::sim::oracle
