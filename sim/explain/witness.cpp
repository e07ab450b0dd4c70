#include "sim/explain/witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/explore/replay_strategy.hpp"
#include "sim/kernel/path_text.hpp"
#include "sim/kernel/primitives/sim_channel.hpp"
#include "sim/kernel/scheduler.hpp"
#include "sim/kernel/wait_for_graph.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
namespace {

bool concerns_only_itself(const Actor& actor) {
  return actor.pending().object == nullptr || actor.pending().object == &actor;
}

/// Atomics are called what their users call them.
std::string to_string(const SimObject& object) {
  return object.identity().kind == ObjectKind::Cell && !object.identity().name.empty()
             ? fmt::format("atomic '{}'", object.identity().name)
             : object.describe();
}

}  // namespace

std::string operated_on(const Actor& actor) {
  const Operation& operation = actor.pending();
  if (!concerns_only_itself(actor)) {
    return to_string(*operation.object);
  }
  if (operation.kind == OperationKind::Continue) {
    return static_cast<const SimTask&>(actor).met_at;
  }
  if (operation.object != nullptr) {
    return "";
  }
  switch (operation.kind) {
    case OperationKind::Send:
    case OperationKind::Receive:
      return "a nil channel";
    case OperationKind::Select:
    case OperationKind::Poll:
      return describe_arms(static_cast<const SimTask&>(actor));
    default:
      return "";
  }
}

void WitnessStrategy::begin(const Scheduler& scheduler) {
  Strategy::begin(scheduler);
  last_ = nullptr;
  woken_noted_ = 0;
  witness_ = {};
  numbers_.clear();
  inner_.begin(scheduler);
}

std::uint32_t WitnessStrategy::number_of(const Actor& actor) {
  auto& actors = witness_.actors;
  const auto [number, is_new] =
      numbers_.try_emplace(actor.digest(), static_cast<std::uint32_t>(actors.size()));
  if (is_new) {
    const std::string path = actor.identity().path();
    actors.push_back({path, with_readable_tasks(path), actor.digest(), actor.is_task()});
  }
  return number->second;
}

WitnessedOperation WitnessStrategy::see(const Actor& actor) {
  const Operation& operation = actor.pending();
  WitnessedOperation seen{.actor = number_of(actor),
                          .kind = operation.kind,
                          .object = operated_on(actor),
                          .here = operation.here};
  if (!concerns_only_itself(actor)) {
    seen.object_id = operation.object->digest();
  }
  if (operation.kind == OperationKind::Start && !actor.identity().creator) {
    seen.here = {};  // no line of the program starts the root task
  }
  return seen;
}

std::uint32_t WitnessStrategy::choose(const Choice& choice) {
  const std::uint32_t index = inner_.choose(choice);
  if (choice.options < 2 || index >= choice.options) {
    return index;
  }
  WitnessedDecision decision{.kind = choice.kind,
                             .options = choice.options,
                             .index = index,
                             .steps_before = witness_.steps.size(),
                             .what = std::string(choice.what)};
  for (std::uint32_t i = 0; choice.kind == ChoiceKind::Actor && i < choice.options; ++i) {
    decision.actors.push_back(number_of(scheduler().option(i)));
  }
  for (const Actor* const candidate : choice.candidates) {
    decision.actors.push_back(number_of(*candidate));
  }
  witness_.decisions.push_back(std::move(decision));
  return index;
}

void WitnessStrategy::note_woken() {
  const std::size_t step = witness_.steps.size();
  if (step == 0 || woken_noted_ == step) {
    return;
  }
  woken_noted_ = step;
  for (const Actor* const actor : scheduler().actors()) {
    if (actor->is_task() && actor->prompted_at() == step) {
      const std::uint32_t number = number_of(*actor);
      if (number != witness_.steps.back().done.actor) {
        witness_.steps.back().woken.push_back(number);
      }
    }
  }
}

void WitnessStrategy::note_handover(const Actor& actor, WitnessedStep& step) {
  if (witness_.steps.empty() || last_number_ == step.done.actor) {
    return;
  }
  if (last_ == nullptr) {
    const bool ended = witness_.steps.back().done.kind == OperationKind::Exit;
    step.handover = ended ? Handover::Ended : Handover::None;
    return;
  }
  step.left = see(*last_);
  if (scheduler().is_ready(*last_)) {
    const bool asked = last_->pending().kind == OperationKind::Yield;
    step.handover = asked ? Handover::Yielded : Handover::Interrupted;
    return;
  }
  step.handover = Handover::Waits;
  const SimObject* const object = last_->pending().object;
  const auto& task = static_cast<const SimTask&>(*last_);
  // The task that continues has not yet carried out its step, but may hold up the other already.
  if (object != nullptr && &actor != last_) {
    step.left_because = object->blocked_because(task);
  }
}

void WitnessStrategy::executed(const Actor& actor) {
  if (inner_.observes()) {
    inner_.executed(actor);
  }
  if (!witness_.steps.empty() && witness_.steps.back().step == scheduler().steps()) {
    return;  // a part of the last step
  }
  note_woken();
  WitnessedStep step;
  step.step = scheduler().steps();
  step.at = scheduler().now();
  step.done = see(actor);
  append_accesses(actor, objects_, step.done.accesses);
  note_handover(actor, step);
  last_number_ = step.done.actor;
  const bool lives_on = actor.is_task() && actor.pending().kind != OperationKind::Exit;
  last_ = lives_on ? &actor : nullptr;
  witness_.steps.push_back(std::move(step));
}

void WitnessStrategy::idle() {
  inner_.idle();
  note_woken();
  witness_.stuck.clear();
  for (const WaitEdge& edge : wait_for_graph(scheduler())) {
    StuckTask stuck{.wants = see(*edge.task)};
    append_wanted(*edge.task, objects_, stuck.wants.accesses);
    if (edge.object != nullptr) {
      stuck.because = edge.object->blocked_because(*edge.task);
      stuck.wants.object = to_string(*edge.object);
      stuck.wants.object_id = edge.object->digest();
    }
    for (const SimTask* const releaser : edge.releasers) {
      stuck.releasers.push_back(number_of(*releaser));
    }
    witness_.stuck.push_back(std::move(stuck));
  }
}

void WitnessStrategy::end(const RunResult& result) {
  inner_.end(result);
  const bool is_stuck =
      result.failure && (result.failure->kind == "deadlock" || result.failure->kind == "leak");
  if (!is_stuck) {
    witness_.stuck.clear();
  }
  witness_.result = result;
}

Witness witness(std::string_view schedule, const std::function<void(runtime::Runtime&)>& body,
                Numbering& objects) {
  const Schedule parsed = Schedule::parse(schedule);
  WorldOptions options = options_of(parsed);
  options.record = true;
  World world(options);
  ReplayStrategy replay(parsed, ReplayStrategy::Mode::Strict);
  WitnessStrategy strategy(replay, objects);
  RunResult result = world.run(strategy, body);
  if (replay.divergence()) {
    throw std::invalid_argument(*replay.divergence());
  }
  Witness seen = strategy.take();
  seen.result = std::move(result);
  seen.schedule = world.schedule();
  return seen;
}

}  // namespace watchlab::sim
