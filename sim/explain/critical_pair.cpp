#include "sim/explain/critical_pair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/explain/prefix_strategy.hpp"
#include "sim/explain/wording.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/explore/replay_strategy.hpp"
#include "sim/kernel/scheduler.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
namespace {

/// How many operations of its own a task may do on the way to the one that is to come first.
constexpr std::size_t kDetourMax = 64;

bool depend(const std::vector<Access>& some, const std::vector<Access>& others) {
  for (const Access& one : some) {
    for (const Access& other : others) {
      if (one.object == other.object && relation(one.kind, other.kind) != Relation::None) {
        return true;
      }
    }
  }
  return false;
}

/// What is to come the other way round.
struct Reversal {
  std::size_t held_back = 0;     ///< an index into `Witness::steps`
  std::uint32_t goes_first = 0;  ///< an actor
};

/// Lets one task run on until it has done something that depends on what another is about to do,
/// then that other, then leaves the rest to another strategy.
class ReversingStrategy final : public Strategy {
 public:
  ReversingStrategy(const Witness& seen, const Reversal& reversal, Numbering& objects,
                    Strategy& rest)
      : held_back_(seen.steps[reversal.held_back]),
        held_actor_(seen.actors[held_back_.done.actor].digest),
        first_actor_(seen.actors[reversal.goes_first].digest),
        number_(reversal.goes_first),
        objects_(objects),
        rest_(rest) {}

  void begin(const Scheduler& scheduler) override {
    Strategy::begin(scheduler);
    rest_.begin(scheduler);
  }
  [[nodiscard]] bool observes() const override { return true; }
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override {
    if (choice.kind != ChoiceKind::Actor) {
      return reversed_ ? rest_.choose(choice) : 0;
    }
    if (!reversed_) {
      const std::uint32_t index = option_of(first_actor_, choice.options);
      return ++detour_ > kDetourMax ? kAbandon : index;
    }
    if (!let_go_) {
      let_go_ = true;
      const std::uint32_t index = option_of(held_actor_, choice.options);
      if (index != kAbandon) {
        return index;
      }
    }
    return rest_.choose(choice);
  }
  void executed(const Actor& actor) override {
    // The step before the decision may be reported here too.
    if (detour_ == 0 || reversed_ || actor.digest() != first_actor_) {
      return;
    }
    own_steps_ += std::exchange(last_step_, scheduler().steps()) != scheduler().steps() ? 1 : 0;
    std::vector<Access> accesses;
    append_accesses(actor, objects_, accesses);
    if (depend(accesses, held_back_.done.accesses)) {
      reversed_ = true;
      const Operation& operation = actor.pending();
      came_first_ = {.actor = number_,
                     .kind = operation.kind,
                     .object = name_in_failing_run(actor),
                     .object_id = operation.object != nullptr ? operation.object->digest() : 0,
                     .here = operation.here};
    }
  }

  /// What was done first instead; nothing when the task did not get there.
  [[nodiscard]] const std::optional<WitnessedOperation>& came_first() const { return came_first_; }
  /// How many steps that task took up to that one, inclusive.
  [[nodiscard]] std::size_t own_steps() const { return own_steps_; }

 private:
  /// As the failing run names it; the two operations are mostly on the same object.
  [[nodiscard]] std::string name_in_failing_run(const Actor& actor) const {
    const Operation& operation = actor.pending();
    const bool same =
        operation.object != nullptr && operation.object->digest() == held_back_.done.object_id;
    return same ? held_back_.done.object : operated_on(actor);
  }

  const WitnessedStep& held_back_;
  std::uint64_t held_actor_;
  std::uint64_t first_actor_;
  std::uint32_t number_;
  Numbering& objects_;
  Strategy& rest_;
  std::size_t detour_ = 0;
  std::size_t own_steps_ = 0;
  std::size_t last_step_ = 0;
  bool reversed_ = false;
  bool let_go_ = false;
  std::optional<WitnessedOperation> came_first_;
};

/// Takes one alternative, then leaves the rest to another strategy.
class OnceStrategy final : public Strategy {
 public:
  OnceStrategy(std::uint32_t index, Strategy& rest) : index_(index), rest_(rest) {}

  void begin(const Scheduler& scheduler) override { rest_.begin(scheduler); }
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override {
    return std::exchange(taken_, true) ? rest_.choose(choice) : index_;
  }

 private:
  std::uint32_t index_;
  Strategy& rest_;
  bool taken_ = false;
};

class PairFinder {
 public:
  PairFinder(const Witness& failing, const std::function<void(runtime::Runtime&)>& body,
             Numbering& objects, const PairSearch& search)
      : failing_(failing),
        body_(body),
        objects_(objects),
        keep_going_(search.keep_going),
        runs_left_(search.runs_max),
        world_(options_of(failing.schedule)) {}

  std::optional<CriticalPair> find() {
    for (std::size_t i = failing_.decisions.size(); i-- > 0 && runs_left_ > 0;) {
      const std::optional<CriticalPair> found =
          failing_.decisions[i].kind == ChoiceKind::Actor ? try_reversals(i) : try_alternatives(i);
      if (found) {
        return found;
      }
    }
    return std::nullopt;
  }

 private:
  std::optional<CriticalPair> try_alternatives(std::size_t place) {
    const WitnessedDecision& decision = failing_.decisions[place];
    for (std::uint32_t other = 0; other < decision.options; ++other) {
      if (other == decision.index || decision.steps_before == 0) {
        continue;
      }
      ReplayStrategy rest(failing_.schedule, ReplayStrategy::Mode::Guided);
      OnceStrategy once(other, rest);
      if (const auto schedule = passes(place, once)) {
        const std::size_t step = decision.steps_before - 1;
        return CriticalPair{.step = step,
                            .first = failing_.steps[step].done,
                            .choice = decision.what,
                            .taken = alternative(decision, decision.index),
                            .instead = alternative(decision, other),
                            .passing_schedule = *schedule};
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string alternative(const WitnessedDecision& decision,
                                        std::uint32_t index) const {
    return index < decision.actors.size()
               ? failing_.name(decision.actors[index])
               : fmt::format("no. {} of {}", index + 1, decision.options);
  }

  std::optional<CriticalPair> try_reversals(std::size_t place) {
    const WitnessedDecision& decision = failing_.decisions[place];
    if (decision.steps_before >= failing_.steps.size()) {
      return std::nullopt;
    }
    const WitnessedStep& step = failing_.steps[decision.steps_before];
    for (const std::uint32_t actor : decision.actors) {
      if (actor == step.done.actor || !comes_to_depend(actor, decision.steps_before)) {
        continue;
      }
      if (auto found = try_reversal(place, actor)) {
        return found;
      }
    }
    return std::nullopt;
  }

  std::optional<CriticalPair> try_reversal(std::size_t place, std::uint32_t actor) {
    const std::size_t at = failing_.decisions[place].steps_before;
    ReplayStrategy guided(failing_.schedule, ReplayStrategy::Mode::Guided);
    FifoStrategy fifo;
    for (Strategy* const rest : {static_cast<Strategy*>(&guided), static_cast<Strategy*>(&fifo)}) {
      ReversingStrategy reversing(failing_, {at, actor}, objects_, *rest);
      const auto schedule = passes(place, reversing);
      if (schedule && reversing.came_first()) {
        CriticalPair pair{.step = at,
                          .first = failing_.steps[at].done,
                          .second = reversing.came_first(),
                          .passing_schedule = *schedule};
        find_second(pair, reversing.own_steps());
        return pair;
      }
    }
    return std::nullopt;
  }

  /// Whether the actor does, or wants to do, something later that depends on that step.
  [[nodiscard]] bool comes_to_depend(std::uint32_t actor, std::size_t at) const {
    const std::vector<Access>& here = failing_.steps[at].done.accesses;
    const auto fits = [&](const WitnessedOperation& operation) {
      return operation.actor == actor && depend(operation.accesses, here);
    };
    return std::any_of(failing_.steps.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                       failing_.steps.end(),
                       [&](const WitnessedStep& step) { return fits(step.done); }) ||
           is_pending(actor) || std::ranges::any_of(failing_.stuck, fits, &StuckTask::wants);
  }

  /// Whether the run failed before the actor had come to its end, and not because it was stuck:
  /// what it would have done next counts too.
  [[nodiscard]] bool is_pending(std::uint32_t actor) const {
    return failing_.stuck.empty() && failing_.actors[actor].is_task &&
           std::ranges::none_of(failing_.steps, [&](const WitnessedStep& step) {
             return step.done.actor == actor && step.done.kind == OperationKind::Exit;
           });
  }

  /// Finds where the failing run does what came first in the passing one: it is the `count`-th
  /// step of its task from there on. A task that waited at that point took no step there, because
  /// another task's step ended its wait.
  void find_second(CriticalPair& pair, std::size_t count) const {
    for (std::size_t i = pair.step + 1; i < failing_.steps.size(); ++i) {
      const WitnessedOperation& done = failing_.steps[i].done;
      if (done.actor == pair.second->actor && --count == 0) {
        const bool is_same = done.kind == pair.second->kind &&
                             done.object_id == pair.second->object_id &&
                             done.here.line() == pair.second->here.line();
        pair.second_step = is_same ? std::optional(i) : std::nullopt;
        pair.second_waits = !is_same;
        return;
      }
    }
  }

  /// The schedule of the run that continues in that way, if it passes.
  std::optional<std::string> passes(std::size_t length, Strategy& rest) {
    if (runs_left_ > 0 && keep_going_ && !keep_going_()) {
      runs_left_ = 0;
    }
    if (runs_left_ == 0) {
      return std::nullopt;
    }
    --runs_left_;
    PrefixStrategy strategy(failing_, length, rest);
    const RunResult played = world_.run(strategy, body_);
    if (played.failure || played.abandoned) {
      return std::nullopt;
    }
    return world_.schedule().to_string();
  }

  const Witness& failing_;
  const std::function<void(runtime::Runtime&)>& body_;
  Numbering& objects_;
  const std::function<bool()>& keep_going_;
  std::size_t runs_left_;
  World world_;
};

}  // namespace

std::optional<CriticalPair> find_critical_pair(const Witness& failing,
                                               const std::function<void(runtime::Runtime&)>& body,
                                               Numbering& objects, const PairSearch& search) {
  return PairFinder(failing, body, objects, search).find();
}

std::string CriticalPair::to_string(const Witness& witness) const {
  const std::string here =
      fmt::format("step {}: {}", witness.steps[step].step, describe(witness, first));
  if (!second) {
    return fmt::format(
        "{}.\nOpen there: {}. It is {}; had it been {}, and all else alike, the run would pass.",
        here, choice, taken, instead);
  }
  const std::string other = describe(witness, *second);
  const std::string later =
      second_step             ? fmt::format("step {}: {}", witness.steps[*second_step].step, other)
      : second_waits          ? fmt::format("only later: {}; it waits there", other)
      : witness.stuck.empty() ? fmt::format("not yet: {}; the run failed before that", other)
                              : fmt::format("never: {}; it is stuck there", other);
  return fmt::format("{}.\n{}.\nThe other way round, and all else alike, the run passes.", here,
                     later);
}

}  // namespace watchlab::sim
