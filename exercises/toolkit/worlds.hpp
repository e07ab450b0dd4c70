#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/runtime/runtime.hpp"
#include "sim/kernel/run_result.hpp"

namespace watchlab::exercise {

// What tests of the exercises are made of.

/// What a test does, on the runtime that it is given. It is the root task of a world: it may spawn
/// tasks, wait, sleep and use channels, and must not keep anything between two runs.
using Body = std::function<void(runtime::Runtime&)>;

/// Plays `body` in simulated worlds, under the default schedule first and then under random ones,
/// until one fails or all held. Fails the running Boost.Test case then, and narrates the failing
/// run step by step, by a schedule as short as can be found.
void in_every_world(const Body& body);
/// Plays it under every schedule with at most so many preemptions; under the first 2,000 of them
/// where there are more. For tests of what students write: in theirs it is the same as above.
void in_each_schedule(int preemptions_max, const Body& body);

/// Ends the body with a failure unless the fact is true.
void expect(bool fact, std::string_view claim,
            runtime::Location here = runtime::Location::current());
/// Ends the body with a failure unless the two are equal.
void expect_equal(std::string_view found, std::string_view expected,
                  runtime::Location here = runtime::Location::current());
void expect_equal(std::int64_t found, std::int64_t expected,
                  runtime::Location here = runtime::Location::current());
/// Ends the body with a failure unless `action` panics and says `words`.
void expect_panic(const std::function<void()>& action, std::string_view words,
                  runtime::Location here = runtime::Location::current());

/// Says what the test does next: a line of the narration of a failing run.
void act(runtime::Runtime& runtime, std::string_view what);

/// The kinds of notes that a narration is made of.
inline constexpr std::string_view kActionNote = "action";
inline constexpr std::string_view kExpectationNote = "expectation";

/// A failing run as numbered lines for the author of the test: what was done (Action), what was
/// checked (Expectation), and at last what went wrong. The schedule must be one that the body
/// follows.
[[nodiscard]] std::string narrate(const sim::Failure& failure, const Body& body);

}  // namespace watchlab::exercise
