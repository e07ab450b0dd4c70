#pragma once

#include <cstdint>

#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// A random story: a server with a few objects, one or two clients, objects that come, change and
/// go, and legal faults, all of which are healed before the end. The story ends when it is quiet,
/// and expects nothing by itself. The seed decides everything, on every platform.
[[nodiscard]] Scenario generate_story(std::uint64_t seed);

}  // namespace watchlab::scenarios
