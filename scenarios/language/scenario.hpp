#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/runtime/time.hpp"
#include "scenarios/language/question.hpp"
#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/network/connection.hpp"
#include "sim/story/expectation.hpp"
#include "sim/story/options.hpp"
#include "sim/story/recorder.hpp"

/// A scenario file as values. The tables in this folder define how a file is read into them.
namespace watchlab::scenarios {

struct CreateAction {
  sim::ObjectSketch object;
  bool operator==(const CreateAction&) const = default;
};
struct UpdateAction {
  sim::ObjectSketch object;
  bool operator==(const UpdateAction&) const = default;
};
struct DeleteAction {
  sim::ObjectSketch object;  ///< its name, and a name for the revision
  bool operator==(const DeleteAction&) const = default;
};
struct PatchAction {
  sim::PatchSketch patch;

  bool operator==(const PatchAction&) const = default;
};
struct ApplyAction {
  sim::ApplySketch apply;

  bool operator==(const ApplyAction&) const = default;
};
struct FaultAction {
  sim::FaultSketch fault;
  bool operator==(const FaultAction&) const = default;
};
struct HealAction {
  std::string name;
  bool operator==(const HealAction&) const = default;
};
struct StartAction {
  std::string client;
  bool operator==(const StartAction&) const = default;
};
struct StopAction {
  std::string client;
  bool operator==(const StopAction&) const = default;
};
struct CrashAction {
  std::string client;
  bool operator==(const CrashAction&) const = default;
};
struct AddHandlerAction {
  std::string handler;
  bool operator==(const AddHandlerAction&) const = default;
};
struct RemoveHandlerAction {
  std::string handler;
  bool operator==(const RemoveHandlerAction&) const = default;
};
struct MoveAction {
  std::string client;
  std::int64_t replica = 0;

  bool operator==(const MoveAction&) const = default;
};
struct WaitAction {
  runtime::Duration duration{0};
  bool operator==(const WaitAction&) const = default;
};
using Action = std::variant<CreateAction, UpdateAction, DeleteAction, PatchAction, ApplyAction,
                            FaultAction, HealAction, StartAction, StopAction, CrashAction,
                            AddHandlerAction, RemoveHandlerAction, MoveAction, WaitAction>;

/// The object that an action writes; null for none.
[[nodiscard]] const sim::ObjectSketch* object_of(const Action& action);
[[nodiscard]] sim::ObjectSketch* object_of(Action& action);

/// One step of the script: when, and what. It waits first for its condition, then for its time. All
/// of its actions happen at the same instant, before any other task runs.
struct Step {
  std::optional<sim::Condition> when;
  std::optional<runtime::Duration> at;     ///< since the start of the story
  std::optional<runtime::Duration> after;  ///< since the previous step or the condition
  std::vector<Action> actions;
  int line = 0;

  bool operator==(const Step&) const = default;
};

/// When the story ends, and the expectations are checked.
struct Ending {
  enum class Kind : std::uint8_t {
    Quiet,      ///< nothing has happened for a while, and only idle timers are due
    Scripted,   ///< the last step is done
    At,         ///< a time since the start
    Condition,  ///< a condition is true
  };

  Kind kind = Kind::Quiet;
  runtime::Duration at{0};
  sim::Condition condition;
  int line = 1;

  bool operator==(const Ending&) const = default;
};

/// Defaults for exploring the scenario; the command line overrides them.
struct Exploration {
  std::string strategy = "random";
  std::int64_t schedules = 1000;
  std::int64_t seed = 1;
  std::int64_t steps = 100'000;
  std::int64_t preemptions = -1;
  std::int64_t early_advances = 0;

  bool operator==(const Exploration&) const = default;
};

/// What the client's release profile does not support; "" for nothing. An informer and a fifo retry
/// a failed item with a feature that only the classic profile's queues have.
[[nodiscard]] std::string machine_problem(const sim::StoryClientOptions& client);

/// One scenario file.
struct Scenario {
  std::string path;
  std::string name;
  std::string story;
  std::string program;  ///< from scenarios/programs, instead of clients; "" for none
  /// The transport that it needs; nothing if it does not matter, and then it is played on the
  /// direct one.
  std::optional<sim::Transport> transport;
  sim::StoryServerOptions server;
  std::vector<sim::StoryClientOptions> clients;
  std::vector<Step> script;
  Ending until;
  runtime::Duration within = std::chrono::hours(1);  ///< the most virtual time it may take
  std::vector<sim::Expectation> expectations;
  std::vector<sim::Waiver> waived;  ///< invariants that are not checked, each with a reason
  std::vector<Question> questions;  ///< that a page asks before it shows the answers
  Exploration explore;
  std::string schedule;    ///< the schedule that run plays; "" for the default order
  std::uint64_t hash = 0;  ///< of what determines a run: not of the text or expectations

  bool operator==(const Scenario&) const = default;
};

}  // namespace watchlab::scenarios
