#pragma once

#include <cstdint>

#include "scenarios/language/scenario.hpp"

/// Stories whose transcripts another implementation lives through.
namespace watchlab::scenarios {

/// The story of the fuzzer with this seed, so that no two things of a client fall due at one
/// instant, where their order would be open: whatever takes its time takes some odd microseconds
/// more, as does each period of resyncs; a handler is removed in a step of its own; and who puts
/// keys back has one worker. All else in a story happens at whole milliseconds.
[[nodiscard]] Scenario compared_story(std::uint64_t seed);

/// A story of `generate_story` with illegal faults in it: frames without an object, of an unknown
/// type or kind, out of order, twice, or no JSON at all; lists without objects or a revision. What
/// the invariants say of it means nothing.
[[nodiscard]] Scenario illegal_story(std::uint64_t seed);

}  // namespace watchlab::scenarios
