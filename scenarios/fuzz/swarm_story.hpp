#pragma once

#include <cstdint>

#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// A random story for the fuzzer, from the whole language: objects that live and die, one to three
/// clients of all kinds, handlers that join and leave, clients that are restarted, lagging servers,
/// and legal faults, with some stories on the wire. Each story draws from a small part of all that,
/// another one each time (a swarm), so that what hides one another is rarely together.
///
/// The story has two phases. First the faults do what they like; then the last step of the script
/// heals all of them and starts whoever has not started. From there the story must become quiet
/// within half an hour of virtual time, and then the invariants say what has to be true.
/// It expects nothing else. The seed decides everything, on every platform.
[[nodiscard]] Scenario swarm_story(std::uint64_t seed);

}  // namespace watchlab::scenarios
