#pragma once

#include <cstdint>

#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// A random flood: more changes than a slow client can work on at once, so that many
/// keys wait in its queue while objects come, go and come back, while watches break off and lists
/// meet what is queued, while handlers join and leave, while a resync falls due, or while the
/// client is told to end. There are few kinds of faults: all that ends a watch, mostly so that a
/// list must follow.
///
/// Like `swarm_story`, which draws it for some of its seeds, it expects nothing but that the story
/// becomes quiet within half an hour of virtual time after the last step; none of its faults lasts.
/// The seed decides everything, on every platform.
[[nodiscard]] Scenario flood_story(std::uint64_t seed);

}  // namespace watchlab::scenarios
