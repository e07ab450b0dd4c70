#pragma once

#include <cstdint>

#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// A random story in which much happens at once to few objects: they come, change, go and come
/// again in two namespaces while watches end, histories expire and consumers are slow, so that
/// lists meet what is still queued. One in twenty has more objects than fit on a page of a list.
///
/// Like `swarm_story`, which draws it for some of its seeds, it heals all faults and expects
/// nothing; the seed decides everything, on every platform.
[[nodiscard]] Scenario storm_story(std::uint64_t seed);

}  // namespace watchlab::scenarios
