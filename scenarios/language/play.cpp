#include "scenarios/language/play.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <type_traits>
#include <variant>

#include "core/runtime/ensure.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/programs/catalogue.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/story/client_kinds.hpp"
#include "sim/story/story.hpp"

namespace watchlab::scenarios {
namespace {

using sim::Story;

std::string at_line(const Scenario& scenario, int line) {
  return fmt::format("{}:{}", scenario.path.empty() ? scenario.name : visible_line(scenario.path),
                     line);
}

/// Does the actions of a step, one after another; those about the server at one instant.
class Actor {
 public:
  Actor(Story& story, Story::Instant& now) : story_(story), now_(now) {}

  void operator()(const CreateAction& action) { now_.create(action.object); }
  void operator()(const UpdateAction& action) { now_.update(action.object); }
  void operator()(const DeleteAction& action) { now_.remove(action.object); }
  void operator()(const PatchAction& action) { now_.patch(action.patch); }
  void operator()(const ApplyAction& action) { now_.apply(action.apply); }
  void operator()(const FaultAction& action) { now_.inject(action.fault); }
  void operator()(const HealAction& action) { now_.heal(action.name); }
  void operator()(const StartAction& action) { story_.start(action.client); }
  void operator()(const StopAction& action) { story_.stop(action.client); }
  void operator()(const CrashAction& action) { story_.crash(action.client); }
  void operator()(const AddHandlerAction& action) { story_.add_handler(action.handler); }
  void operator()(const RemoveHandlerAction& action) { story_.remove_handler(action.handler); }
  void operator()(const MoveAction& action) { story_.move(action.client, action.replica); }
  void operator()(const WaitAction&) {}

 private:
  Story& story_;
  Story::Instant& now_;
};

/// Whether an action is done to a client, and not to the server.
bool concerns_client(const Action& action) {
  return std::holds_alternative<StartAction>(action) ||
         std::holds_alternative<StopAction>(action) ||
         std::holds_alternative<CrashAction>(action) ||
         std::holds_alternative<AddHandlerAction>(action) ||
         std::holds_alternative<RemoveHandlerAction>(action);
}

/// Plays one step. False when its condition never came.
bool play_step(const Step& step, Story& story) {
  runtime::ensure(!step.actions.empty(), "a step has something to do");
  if (step.when && !story.wait_for(*step.when)) {
    return false;
  }
  if (step.at) {
    story.wait_until(*step.at);
  }
  if (step.after) {
    story.wait(*step.after);
  }
  if (story.interrupted()) {
    return false;
  }
  if (const auto* wait = std::get_if<WaitAction>(&step.actions.front())) {
    story.wait(wait->duration);
    return !story.interrupted();
  }
  if (std::any_of(step.actions.begin(), step.actions.end(), concerns_client)) {
    story.settle();
  }
  story.at_once([&](Story::Instant& now) {
    Actor actor(story, now);
    for (const Action& action : step.actions) {
      std::visit(actor, action);
    }
  });
  return true;
}

std::string never_came(const Scenario& scenario, const Step& step, Story& story) {
  if (story.interrupted()) {
    return step.when ? fmt::format("the step waits for {}, which had not come at the end",
                                   describe(*step.when))
                     : "the step had not come at the end";
  }
  return fmt::format("the step waits for {}, which has not come within {}", describe(*step.when),
                     sim::describe(scenario.within));
}

void refuse_external(const Scenario& scenario) {
  if (const auto external = external_clients(scenario); !external.empty()) {
    throw sim::StoryError(fmt::format(
        "{}: the client '{}' is external, so this is played in real time: watchlab serve {}",
        at_line(scenario, 1), external.front().name, scenario.path));
  }
}

std::string last_request(const sim::Record& record) {
  return record.requests.empty() ? "none" : sim::describe(record.requests.back());
}

void play_ending(const Scenario& scenario, Story& story) {
  const Ending& until = scenario.until;
  bool ended = true;
  std::string what = "quiet";
  switch (until.kind) {
    case Ending::Kind::Scripted:
      break;
    case Ending::Kind::At:
      story.wait_until(until.at);
      break;
    case Ending::Kind::Condition:
      ended = story.wait_for(until.condition);
      what = describe(until.condition);
      break;
    case Ending::Kind::Quiet:
      ended = story.run_until_quiet();
      break;
  }
  if (!ended) {
    story.abandon();
    throw sim::Violation(fmt::format(
        "{}: the story waits for {}, which has not come within {}; the last request was {}",
        place_of_ending(scenario), what, sim::describe(scenario.within),
        last_request(story.record())));
  }
}

bool is_checked(const sim::Expectation& expectation, Scope scope) {
  return scope != Scope::AnyOrder || expectation.depends_on_order.empty();
}

std::string broken_expectations(const Scenario& scenario, Scope scope, const Story& story) {
  std::string text;
  for (const sim::Expectation& expectation : scenario.expectations) {
    if (!is_checked(expectation, scope)) {
      continue;
    }
    if (const auto message = story.broken(expectation)) {
      text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", at_line(scenario, expectation.line),
                          *message);
    }
  }
  return text;
}

}  // namespace

void play_script(const Scenario& scenario, Story& story, const std::function<void()>& played) {
  for (const Step& step : scenario.script) {
    try {
      if (!play_step(step, story)) {
        throw sim::Violation(never_came(scenario, step, story));
      }
      if (played) {
        played();
      }
    } catch (const sim::StoryError& failure) {
      throw sim::StoryError(fmt::format("{}: {}", at_line(scenario, step.line), failure.what()));
    } catch (const sim::Violation& violation) {
      throw sim::Violation(fmt::format("{}: {}", at_line(scenario, step.line), violation.what()));
    }
  }
}

std::string broken_claims(const Scenario& scenario, Scope scope, const Story& story) {
  std::string broken = broken_expectations(scenario, scope, story);
  for (const std::string& message : story.broken_invariants()) {
    broken += fmt::format("{}{}: {}", broken.empty() ? "" : "\n", at_line(scenario, 1), message);
  }
  return broken;
}

std::string place_of_ending(const Scenario& scenario) {
  return at_line(scenario, scenario.until.line);
}

std::vector<sim::StoryClientOptions> external_clients(const Scenario& scenario) {
  std::vector<sim::StoryClientOptions> external;
  std::ranges::copy_if(
      scenario.clients, std::back_inserter(external), [](const sim::StoryClientOptions& client) {
        return traits_of(client.kind).external && !traits_of(client.kind).in_lockstep;
      });
  return external;
}

namespace {

/// Programs run in the folder of the file, so that it can name them from there.
void set_program(const Scenario& scenario, sim::StoryClientOptions& client) {
  client.folder = std::filesystem::path(scenario.path).parent_path().string();
  if (client.run.empty() && client.built.empty()) {
    throw sim::StoryError(fmt::format(
        "{}: the client '{}' has nothing to run: it needs 'run', or a Go test that names this "
        "story",
        at_line(scenario, 1), client.name));
  }
}

}  // namespace

namespace {

/// Whether the script waits for more than lists and watches.
bool waits_for_writes(const Scenario& scenario) {
  const auto is_one = [](const sim::Condition& condition) {
    return condition.kind == sim::Condition::Kind::Requested && condition.verb != sim::Verb::List &&
           condition.verb != sim::Verb::Watch;
  };
  return (scenario.until.kind == Ending::Kind::Condition && is_one(scenario.until.condition)) ||
         std::ranges::any_of(scenario.script,
                             [&](const Step& step) { return step.when && is_one(*step.when); });
}

}  // namespace

sim::StoryOptions story_of(const Scenario& scenario) {
  sim::StoryOptions options;
  options.name = scenario.name;
  options.server = scenario.server;
  options.transport = scenario.transport.value_or(sim::Transport::Direct);
  options.clients = scenario.clients;
  for (sim::StoryClientOptions& client : options.clients) {
    if (traits_of(client.kind).in_lockstep) {
      set_program(scenario, client);
    }
  }
  options.within = scenario.within;
  options.waived = scenario.waived;
  options.waits_for_writes = waits_for_writes(scenario);
  return options;
}

std::vector<sim::NamedEntry> breaking_entries(const Scenario& scenario, Scope scope,
                                              const Story& story) {
  std::vector<sim::NamedEntry> entries;
  for (const sim::Expectation& expectation : scenario.expectations) {
    std::optional<sim::NamedEntry> entry =
        is_checked(expectation, scope)
            ? breaking_entry(expectation, story.record(), story.symbols())
            : std::nullopt;
    if (entry) {
      entries.push_back(*std::move(entry));
    }
  }
  return entries;
}

namespace {

/// The story so far may have failed; its clients must end all the same.
void play_and_finish(const Scenario& scenario, Story& story) {
  try {
    play_script(scenario, story);
    play_ending(scenario, story);
  } catch (const std::exception&) {
    story.abandon();
    throw;
  }
  story.abandon();
}

}  // namespace

void play(const Scenario& scenario, Scope scope, runtime::Runtime& runtime, Recording recording) {
  if (const Program* program = find_program(scenario.program)) {
    program->play(runtime);
    return;
  }
  refuse_external(scenario);
  sim::StoryOptions options = story_of(scenario);
  options.transcribe = recording.transcribe;
  options.written = recording.written;
  Story story(runtime, std::move(options));
  play_and_finish(scenario, story);
  if (recording.record != nullptr) {
    *recording.record = story.record();
  }
  if (recording.breaking != nullptr) {
    *recording.breaking = breaking_entries(scenario, scope, story);
  }
  const std::string broken = broken_claims(scenario, scope, story);
  if (!broken.empty()) {
    throw sim::Violation(broken);
  }
}

std::function<void(runtime::Runtime&)> body_of(const Scenario& scenario, Scope scope) {
  return [&scenario, scope](runtime::Runtime& runtime) { play(scenario, scope, runtime); };
}

}  // namespace watchlab::scenarios
