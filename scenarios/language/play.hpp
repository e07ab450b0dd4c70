#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "scenarios/language/scenario.hpp"
#include "sim/record/record.hpp"
#include "sim/story/story.hpp"

namespace watchlab::scenarios {

/// Which expectations a run is held to.
enum class Scope : std::uint8_t {
  AnyOrder,     ///< those that hold whatever the schedule
  StoredOrder,  ///< all, also those that say they depend on the order
};

/// Where what happened is put, before the expectations are looked at.
struct Recording {
  sim::Record* record = nullptr;  ///< null for nowhere
  /// Also what only a transcript shows. A task has to watch the clients for that, so the choices
  /// are no longer those of the run without it.
  bool transcribe = false;
  /// Sees the record grow, also that of a story that does not come to its end. It must do nothing
  /// that is an operation.
  std::function<void(const sim::Record&)> written = {};
};

/// Plays a scenario as the body of a run, then looks at its expectations. Throws `sim::Violation`
/// with a line for each broken one, and `sim::StoryError` when the script asks for something
/// impossible; either begins with the file and the line.
void play(const Scenario& scenario, Scope scope, runtime::Runtime& runtime,
          Recording recording = {});

// The parts of a play, for those who play in real time: see `watchlab serve`.

/// The story of a scenario that has no program.
[[nodiscard]] sim::StoryOptions story_of(const Scenario& scenario);
/// Plays the script. Throws as `play` does; also `sim::Violation` when the story was interrupted
/// before its last step. `played` is called after each step.
void play_script(const Scenario& scenario, sim::Story& story,
                 const std::function<void()>& played = {});
/// What is wrong with a story that is over, a line each: expectations, then invariants; "" for
/// nothing.
[[nodiscard]] std::string broken_claims(const Scenario& scenario, Scope scope,
                                        const sim::Story& story);
/// The scenario's clients that come from outside.
[[nodiscard]] std::vector<sim::StoryClientOptions> external_clients(const Scenario& scenario);

/// The same as a function of the runtime alone. The scenario must outlive it.
[[nodiscard]] std::function<void(runtime::Runtime&)> body_of(const Scenario& scenario, Scope scope);

}  // namespace watchlab::scenarios
