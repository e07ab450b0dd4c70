#include "scenarios/report/seen_run.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "sim/explain/wording.hpp"
#include "sim/explore/replay_strategy.hpp"
#include "sim/explore/strategy_decorator.hpp"
#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/kernel/plain_text.hpp"
#include "sim/kernel/scheduler.hpp"
#include "sim/kernel/wait_for_graph.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::scenarios {
namespace {

using State = TaskMoment::State;

/// Looks at all tasks before each step, which is after the step before.
class TaskWatch final : public sim::StrategyDecorator {
 public:
  explicit TaskWatch(sim::WitnessStrategy& inner) : StrategyDecorator(inner), inner_(inner) {}

  void begin(const sim::Scheduler& scheduler) override {
    scheduler_ = &scheduler;
    StrategyDecorator::begin(scheduler);
  }
  void executed(const sim::Actor& actor) override {
    if (const std::size_t step = scheduler_->steps(); step != looked_before_) {
      looked_before_ = step;
      look(step - 1);
    }
    StrategyDecorator::executed(actor);
  }
  void idle() override {
    look(scheduler_->steps());
    StrategyDecorator::idle();
  }

  /// The step that was carried out last.
  [[nodiscard]] std::size_t step() const { return scheduler_->steps(); }
  [[nodiscard]] std::vector<TaskMoment> take() { return std::move(moments_); }

 private:
  /// What tells two moments of a task apart without a text.
  struct Known {
    sim::OperationKind kind = sim::OperationKind::Start;
    const sim::SimObject* object = nullptr;
    std::uint32_t line = 0;
    bool is_ready = false;
    std::string because;

    bool operator==(const Known&) const = default;
  };

  void look(std::size_t step) {
    std::map<const sim::Actor*, const sim::WaitEdge*> waiting;
    const std::vector<sim::WaitEdge> graph = sim::wait_for_graph(*scheduler_);
    for (const sim::WaitEdge& edge : graph) {
      waiting[edge.task] = &edge;
    }
    std::set<std::uint32_t> alive;
    for (const sim::Actor* const actor : scheduler_->actors()) {
      const auto edge = waiting.find(actor);
      // One that is neither ready nor waits has ended.
      if (actor->is_task() && (edge != waiting.end() || scheduler_->is_ready(*actor))) {
        alive.insert(look_at(step, *actor, edge == waiting.end() ? nullptr : edge->second));
      }
    }
    std::erase_if(known_, [&](const auto& entry) {
      const bool ended = !alive.contains(entry.first);
      if (ended) {
        moments_.push_back({.step = step, .task = entry.first, .state = State::Ended});
      }
      return ended;
    });
  }

  std::uint32_t look_at(std::size_t step, const sim::Actor& actor, const sim::WaitEdge* edge) {
    const std::uint32_t number = inner_.number_of(actor);
    const sim::Operation& pending = actor.pending();
    Known now{.kind = pending.kind,
              .object = pending.object,
              .line = pending.here.line(),
              .is_ready = edge == nullptr};
    if (edge != nullptr && edge->object != nullptr) {
      now.because = edge->object->blocked_because(*edge->task);
    }
    const auto [place, is_new] = known_.try_emplace(number);
    if (!is_new && place->second == now) {
      return number;
    }
    TaskMoment moment{.step = step,
                      .task = number,
                      .state = now.is_ready ? State::Ready : State::Waits,
                      .next = sim::deed(inner_.see(actor)),
                      .because = sim::with_short_places(now.because)};
    if (edge != nullptr) {
      for (const sim::SimTask* const releaser : edge->releasers) {
        moment.releasers.push_back(inner_.number_of(*releaser));
      }
    }
    place->second = std::move(now);
    moments_.push_back(std::move(moment));
    return number;
  }

  sim::WitnessStrategy& inner_;
  const sim::Scheduler* scheduler_ = nullptr;
  std::size_t looked_before_ = 0;
  std::map<std::uint32_t, Known> known_;
  std::vector<TaskMoment> moments_;
};

/// Notes when the record grew, and keeps what it held in case that its story never ends.
class RecordWatch {
 public:
  RecordWatch(const TaskWatch& watch, SeenRun& seen, const std::vector<std::string>& broken)
      : watch_(watch), seen_(seen) {
    for (const sim::Invariant& invariant : sim::invariant_catalogue()) {
      const std::string head = std::string(invariant.clause) + " " + std::string(invariant.name);
      for (const std::string& message : broken) {
        if (message.starts_with(head + ":")) {
          looked_for_.emplace_back(&invariant, message);
        }
      }
    }
  }

  void written(const sim::Record& record) {
    take(record.requests, seen_.live.requests, RecordKind::Requests);
    take(record.asked, seen_.live.asked, RecordKind::Asked);
    take(record.deltas, seen_.live.deltas, RecordKind::Deltas);
    take(record.calls, seen_.live.calls, RecordKind::Calls);
    take(record.notes, seen_.live.notes, RecordKind::Notes);
    take(record.work, seen_.live.work, RecordKind::Work);
    take(record.handlers, seen_.live.handlers, RecordKind::Handlers);
    take(record.ends, seen_.live.ends, RecordKind::Ends);
    seen_.live.began = record.began;
    for (const auto& [invariant, message] : looked_for_) {
      const sim::Finding found = invariant->check(record);
      if (found && message.ends_with(": " + sim::visible_line(*found))) {
        seen_.shown_at.try_emplace(message, watch_.step());
      }
    }
  }

 private:
  template <typename Entry>
  void take(const std::vector<Entry>& from, std::vector<Entry>& into, RecordKind list) {
    for (std::size_t i = into.size(); i < from.size(); ++i) {
      into.push_back(from[i]);
      seen_.growth.push_back({.step = watch_.step(), .list = list, .index = i});
    }
  }

  const TaskWatch& watch_;
  SeenRun& seen_;
  std::vector<std::pair<const sim::Invariant*, std::string>> looked_for_;
};

}  // namespace

std::size_t SeenRun::story_end() const {
  for (const sim::NoteRecord& note : witness.result.notes) {
    if (note.kind == "story" && note.subject == "end") {
      return note.step;
    }
  }
  return witness.result.steps;
}

std::size_t SeenRun::last_step() const {
  const auto& failure = witness.result.failure;
  return failure && failure->kind != "violation" ? witness.result.steps : story_end();
}

std::vector<std::string> complaints_of(const Scenario& scenario, const SeenRun& seen) {
  const auto& failure = seen.witness.result.failure;
  if (!failure || !seen.record) {
    return {};
  }
  std::vector<std::string> broken = sim::broken_invariants(*seen.record, scenario.waived);
  std::ranges::transform(broken, broken.begin(), sim::visible_line);  // as the story says it
  std::erase_if(broken, [&](const std::string& message) {
    return failure->sentence.find(message) == std::string::npos;
  });
  return broken;
}

SeenRun see_run(const Scenario& scenario, const std::string& schedule, Scope scope,
                const std::vector<std::string>& broken) {
  const sim::Schedule parsed = sim::Schedule::parse(schedule);
  sim::WorldOptions options = sim::options_of(parsed);
  options.record = true;
  sim::World world(options);
  sim::Numbering objects;
  sim::ReplayStrategy replay(parsed, sim::ReplayStrategy::Mode::Strict);
  sim::WitnessStrategy witness(replay, objects);
  TaskWatch watch(witness);
  SeenRun seen;
  RecordWatch records(watch, seen, broken);
  sim::Record record;
  bool is_whole = false;
  const Recording recording{.record = &record,
                            .written = [&](const sim::Record& grown) { records.written(grown); },
                            .breaking = &seen.named};
  sim::RunResult result = world.run(
      watch, [&](runtime::Runtime& runtime) { play(scenario, scope, runtime, recording); });
  if (replay.divergence()) {
    throw std::invalid_argument(*replay.divergence());
  }
  is_whole = !record.clients.empty();
  seen.witness = witness.take();
  seen.witness.result = std::move(result);
  seen.witness.schedule = world.schedule();
  seen.tasks = watch.take();
  if (is_whole) {
    seen.record = std::move(record);
  }
  return seen;
}

}  // namespace watchlab::scenarios
