#pragma once

#include <string>

#include "exercises/toolkit/worlds.hpp"
#include "sim/kernel/failure.hpp"

namespace watchlab::exercise {

/// The kinds of notes that a story is told from.
inline constexpr std::string_view action_note = "action";
inline constexpr std::string_view expectation_note = "expectation";

/// A failing run as numbered lines for whoever wrote the test: what was done (Action), what was
/// checked (Expectation), and at last what went wrong. The schedule must be one that the body
/// follows.
[[nodiscard]] std::string narrate(const sim::Failure& failure, const Body& body);

}  // namespace watchlab::exercise
