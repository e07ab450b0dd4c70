#pragma once

#include <cstdint>
#include <string>

#include "scenarios/language/scenario.hpp"

/// Stories that are drawn around a blank one: what a user does in good weather, to objects that a
/// client of the kind go works on, and what has to be true when that is over.
namespace watchlab::scenarios {

/// What keeps a scenario from being a blank story, in a message: its script has only writes,
/// without conditions, and it expects something of one program; "" for nothing.
[[nodiscard]] std::string blank_problem(const Scenario& scenario);

/// The blank story in random weather: its writes in their order at random times, and among them
/// legal faults, watches that break while something changes (so that a list must follow), changes
/// of annotations, crashes and starts of the program. The last step heals all faults and starts
/// the program; then there is as much time as the blank story takes, or ten minutes when it ends
/// by itself. The seed decides everything, on every platform.
[[nodiscard]] Scenario story_around(const Scenario& blank, std::uint64_t seed);

/// Whether a story that was drawn around the blank one, and made smaller, may still be asked for
/// what that one expects: the objects that the script leaves behind are the same, programs that
/// crash are started again, and clients, end and seed are those of the story.
[[nodiscard]] bool asks_the_same(const Scenario& smaller, const Scenario& story);

}  // namespace watchlab::scenarios
