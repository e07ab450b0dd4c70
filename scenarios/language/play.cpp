#include "scenarios/language/play.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <variant>

#include "scenarios/programs/catalogue.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/story/story.hpp"

namespace watchlab::scenarios {
namespace {

using sim::Story;

std::string at_line(const Scenario& scenario, int line) {
  return fmt::format("{}:{}", scenario.path.empty() ? scenario.name : scenario.path, line);
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
         std::holds_alternative<AddHandlerAction>(action) ||
         std::holds_alternative<RemoveHandlerAction>(action);
}

/// Plays one step. False when its condition never came.
bool play_step(const Step& step, Story& story) {
  if (step.when && !story.wait_for(*step.when)) {
    return false;
  }
  if (step.at) {
    story.wait_until(*step.at);
  }
  if (step.after) {
    story.wait(*step.after);
  }
  if (const auto* wait = std::get_if<WaitAction>(&step.actions.front())) {
    story.wait(wait->duration);
    return true;
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

void play_script(const Scenario& scenario, Story& story) {
  for (const Step& step : scenario.script) {
    try {
      if (!play_step(step, story)) {
        throw sim::Violation(fmt::format("the step waits for {}, which has not come within {}",
                                         describe(*step.when), sim::describe(scenario.within)));
      }
    } catch (const sim::StoryError& failure) {
      throw sim::StoryError(fmt::format("{}: {}", at_line(scenario, step.line), failure.what()));
    } catch (const sim::Violation& violation) {
      throw sim::Violation(fmt::format("{}: {}", at_line(scenario, step.line), violation.what()));
    }
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
        at_line(scenario, 1), what, sim::describe(scenario.within), last_request(story.record())));
  }
}

std::string broken_expectations(const Scenario& scenario, Scope scope, const Story& story) {
  std::string text;
  for (const sim::Expectation& expectation : scenario.expectations) {
    if (scope == Scope::AnyOrder && !expectation.depends_on_order.empty()) {
      continue;
    }
    if (const auto message = story.broken(expectation)) {
      text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", at_line(scenario, expectation.line),
                          *message);
    }
  }
  return text;
}

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
  Story story(runtime, {.server = scenario.server,
                        .transport = scenario.transport.value_or(sim::Transport::Direct),
                        .clients = scenario.clients,
                        .within = scenario.within,
                        .waived = scenario.waived,
                        .transcribe = recording.transcribe,
                        .written = recording.written});
  play_and_finish(scenario, story);
  if (recording.record != nullptr) {
    *recording.record = story.record();
  }
  std::string broken = broken_expectations(scenario, scope, story);
  for (const std::string& message : story.broken_invariants()) {
    broken += fmt::format("{}{}: {}", broken.empty() ? "" : "\n", at_line(scenario, 1), message);
  }
  if (!broken.empty()) {
    throw sim::Violation(broken);
  }
}

std::function<void(runtime::Runtime&)> body_of(const Scenario& scenario, Scope scope) {
  return [&scenario, scope](runtime::Runtime& runtime) { play(scenario, scope, runtime); };
}

}  // namespace watchlab::scenarios
