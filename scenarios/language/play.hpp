#pragma once

#include <cstdint>
#include <functional>

#include "core/runtime/runtime.hpp"
#include "scenarios/language/scenario.hpp"
#include "sim/story/record.hpp"

namespace watchlab::scenarios {

/// Which expectations a run is held to.
enum class Scope : std::uint8_t {
  AnyOrder,     ///< those that hold whatever the schedule
  StoredOrder,  ///< all, also those that say they depend on the order
};

/// Plays a scenario as the body of a run, then looks at its expectations. Throws `sim::Violation`
/// with a line for each broken one, and `sim::StoryError` when the script asks for something
/// impossible; either begins with the file and the line. With `record`, what happened is put there
/// with all answers in full, before the expectations are looked at.
void play(const Scenario& scenario, Scope scope, runtime::Runtime& runtime,
          sim::Record* record = nullptr);

/// The same as a function of the runtime alone. The scenario must outlive it.
[[nodiscard]] std::function<void(runtime::Runtime&)> body_of(const Scenario& scenario, Scope scope);

}  // namespace watchlab::scenarios
