#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/language/play.hpp"
#include "sim/explain/witness.hpp"
#include "sim/record/record.hpp"
#include "sim/story/expectation.hpp"

/// The step-through page: a run as data, and the page that shows it.
namespace watchlab::scenarios {

/// A list of a record that has grown.
enum class RecordKind : std::uint8_t {
  Requests,
  Asked,
  Deltas,
  Calls,
  Notes,
  Work,
  Handlers,
  Ends
};

/// A step after which a list of the record has one entry more.
struct Growth {
  std::size_t step = 0;
  RecordKind list = RecordKind::Deltas;
  std::size_t index = 0;  ///< of the entry
};

/// What a task was about to do, after a step.
struct TaskMoment {
  enum class State : std::uint8_t { Ready, Waits, Ended };

  std::size_t step = 0;
  std::uint32_t task = 0;  ///< a number in `Witness::actors`
  State state = State::Ready;
  std::string next;     ///< "locks mutex 'queue' (queue.cpp:12)"; "" when it has ended
  std::string because;  ///< why it waits: "which main holds since step 3 (…)"
  std::vector<std::uint32_t> releasers;
};

/// A run with all that its page shows: each moment of each task, and when the record grew.
struct SeenRun {
  sim::Witness witness;
  /// The whole record; nothing when the run ended before its story.
  std::optional<sim::Record> record;
  /// What the record held when its story ended, or when the run did: the lists of `RecordKind`.
  sim::Record live;
  std::vector<Growth> growth;     ///< in the order of steps
  std::vector<TaskMoment> tasks;  ///< in the order of steps; only what has changed
  /// The step after which the record first shows what an invariant says is wrong, by message; only
  /// of those that a part of the record shows.
  std::map<std::string, std::size_t> shown_at;
  /// The recorded entries with which expectations are broken, whatever came later.
  std::vector<sim::NamedEntry> named;

  /// The last step before the clients are asked to end; that of the whole run if they never are.
  [[nodiscard]] std::size_t story_end() const;
  /// The last step that matters: that end, or the failure where it is more than a violation, which
  /// is found when the story is over.
  [[nodiscard]] std::size_t last_step() const;
};

/// What invariants said of a run that failed, a message each. Of a client outside a story checks
/// only a part of them, so that what it did not complain of is left out.
[[nodiscard]] std::vector<std::string> complaints_of(const Scenario& scenario, const SeenRun& seen);

/// Plays the scenario under that schedule and sees all of it. Throws as `sim::witness`. Messages of
/// broken invariants that are given are looked for in the record while it grows.
[[nodiscard]] SeenRun see_run(const Scenario& scenario, const std::string& schedule, Scope scope,
                              const std::vector<std::string>& broken = {});

}  // namespace watchlab::scenarios
