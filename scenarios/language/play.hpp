#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "scenarios/language/scenario.hpp"
#include "sim/record/record.hpp"
#include "sim/story/expectation.hpp"
#include "sim/story/story.hpp"

namespace watchlab::scenarios {

/// Which expectations a run must meet.
enum class Scope : std::uint8_t {
  AnyOrder,     ///< those that are true under every schedule
  StoredOrder,  ///< all, including those that depend on the order
};

/// Where to put what happened, before the expectations are checked.
struct Recording {
  sim::Record* record = nullptr;  ///< null for nowhere
  /// Also record what only a transcript shows. A task has to watch the clients for that, so the
  /// choices differ from a run without it.
  bool transcribe = false;
  /// Called whenever the record grows, even if the story does not reach its end. It must not
  /// perform any operation.
  std::function<void(const sim::Record&)> written = {};
  /// Gets the entries with which expectations are broken, whatever comes after them.
  std::vector<sim::NamedEntry>* breaking = nullptr;
};

/// "stories/web.yaml:7": where a scenario says when it ends.
std::string place_of_ending(const Scenario& scenario);

/// Plays a scenario as the body of a run, then checks its expectations. Throws `sim::Violation`
/// with one line per broken expectation, and `sim::StoryError` if the script asks for something
/// impossible; both start with the file and the line.
void play(const Scenario& scenario, Scope scope, runtime::Runtime& runtime,
          Recording recording = {});

// The parts of a play, for those who play in real time: see `watchlab serve`.

/// The story of a scenario that has no program.
[[nodiscard]] sim::StoryOptions story_of(const Scenario& scenario);
/// Plays the script. Throws as `play` does; also `sim::Violation` if the story was interrupted
/// before its last step. `played` is called after each step.
void play_script(const Scenario& scenario, sim::Story& story,
                 const std::function<void()>& played = {});
/// What is wrong with a finished story, one line each: expectations, then invariants; "" for
/// nothing.
[[nodiscard]] std::string broken_claims(const Scenario& scenario, Scope scope,
                                        const sim::Story& story);
/// The recorded entries that these name.
[[nodiscard]] std::vector<sim::NamedEntry> breaking_entries(const Scenario& scenario, Scope scope,
                                                            const sim::Story& story);
/// The scenario's external clients.
[[nodiscard]] std::vector<sim::StoryClientOptions> external_clients(const Scenario& scenario);

/// The same as a function that takes only a runtime. The scenario must outlive it.
[[nodiscard]] std::function<void(runtime::Runtime&)> body_of(const Scenario& scenario, Scope scope);

}  // namespace watchlab::scenarios
