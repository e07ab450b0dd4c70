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

/// A scenario file as values. The tables of this folder say how a file is read into them.
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
  sim::ObjectSketch object;  ///< its name, and names for the revision
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

/// A line of the script: when, and what. First its condition is waited for, then its time. All its
/// actions happen at one instant, before any other task acts.
struct Step {
  std::optional<sim::Condition> when;
  std::optional<runtime::Duration> at;     ///< since the story began
  std::optional<runtime::Duration> after;  ///< since the step before, or since the condition held
  std::vector<Action> actions;
  int line = 0;

  bool operator==(const Step&) const = default;
};

/// When the story is over, and the expectations are looked at.
struct Ending {
  enum class Kind : std::uint8_t {
    Quiet,      ///< nothing has happened for a while, and nothing but idle timers is due
    Scripted,   ///< the last step is done
    At,         ///< a time since the beginning
    Condition,  ///< a condition holds
  };

  Kind kind = Kind::Quiet;
  runtime::Duration at{0};
  sim::Condition condition;

  bool operator==(const Ending&) const = default;
};

/// How the scenario is explored unless the command line says otherwise.
struct Exploration {
  std::string strategy = "random";
  std::int64_t schedules = 1000;
  std::int64_t seed = 1;
  std::int64_t steps = 100'000;
  std::int64_t preemptions = -1;
  std::int64_t early_advances = 0;

  bool operator==(const Exploration&) const = default;
};

/// What a client of its machine cannot do; "" for nothing. An informer and a fifo try a failed item
/// again with what queues have only on the classic machine.
[[nodiscard]] std::string machine_problem(const sim::StoryClientOptions& client);

/// One scenario file.
struct Scenario {
  std::string path;
  std::string name;
  std::string story;
  std::string program;  ///< of the catalogue of scenarios/programs, instead of clients; "" for none
  /// What it asks for; nothing for one that does not care, which is played on the direct one.
  std::optional<sim::Transport> transport;
  sim::StoryServerOptions server;
  std::vector<sim::StoryClientOptions> clients;
  std::vector<Step> script;
  Ending until;
  runtime::Duration within = std::chrono::hours(1);  ///< the most virtual time it may take
  std::vector<sim::Expectation> expectations;
  std::vector<sim::Waiver> waived;  ///< invariants that are not checked, each with its reason
  std::vector<Question> questions;  ///< that a page asks before it shows the answers
  Exploration explore;
  std::string schedule;    ///< the one it runs under by default; "" for the undisturbed one
  std::uint64_t hash = 0;  ///< of all that decides a run: not of the story's text or expectations

  bool operator==(const Scenario&) const = default;
};

}  // namespace watchlab::scenarios
