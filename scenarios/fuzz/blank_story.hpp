#pragma once

#include <cstdint>
#include <string>

#include "scenarios/language/scenario.hpp"

/// Stories generated around a blank one: what a user does, without faults, to objects that a client
/// of the kind go works on, and what must be true afterwards.
namespace watchlab::scenarios {

/// Why a scenario is not a blank story, in a message; "" if it is one: its script has only writes
/// without conditions, and it expects something of one program.
[[nodiscard]] std::string blank_problem(const Scenario& scenario);

/// The blank story in random weather: its writes in order at random times, mixed with legal faults,
/// watches that break while something changes (so that a list must follow), annotation changes, and
/// crashes and starts of the program. The last step heals all faults and starts the program; then
/// there is as much time as the blank story takes, or ten minutes if it ends by itself. The seed
/// determines everything, on every platform.
[[nodiscard]] Scenario story_around(const Scenario& blank, std::uint64_t seed);

/// Whether a shrunk story that was generated around the blank one must still meet its expectations:
/// the script leaves the same objects behind, crashed programs are started again, and clients, end
/// and seed are the story's.
[[nodiscard]] bool asks_the_same(const Scenario& smaller, const Scenario& story);

}  // namespace watchlab::scenarios
