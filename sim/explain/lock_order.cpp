#include "sim/explain/lock_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/explain/wording.hpp"
#include "sim/kernel/scheduler.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
namespace {

bool takes_lock(OperationKind kind) {
  return kind == OperationKind::Lock || kind == OperationKind::WriteLock ||
         kind == OperationKind::Relock;
}

bool gives_lock_up(OperationKind kind) {
  return kind == OperationKind::Unlock || kind == OperationKind::WriteUnlock;
}

/// Whether it is an operation on a mutex of the standard's kind that may be shared or has a limit
/// of time: such a one is a gate.
bool is_on_gate_mutex(const WitnessedOperation& done) {
  const bool is_gate =
      done.kind == OperationKind::GatePass || done.kind == OperationKind::GateChange;
  return is_gate &&
         done.object.substr(0, done.object.find(" of ")).find("mutex") != std::string::npos;
}

/// Walks through a run and keeps, for each task, what it holds and what surely came before.
class LockWalk {
 public:
  explicit LockWalk(const Witness& witness)
      : witness_(witness), held_(witness.actors.size()), clocks_(witness.actors.size()) {
    for (std::vector<std::uint32_t>& clock : clocks_) {
      clock.assign(witness.actors.size(), 0);
    }
  }

  /// What the task holds behind that step, in any way.
  std::vector<WitnessedOperation> held_behind(std::uint32_t actor, std::size_t step) {
    in_any_way_ = true;
    for (std::size_t i = 0; i < witness_.steps.size() && witness_.steps[i].step <= step; ++i) {
      take(i);
    }
    return held_[actor];
  }

  std::vector<NestedLock> walk() {
    for (std::size_t i = 0; i < witness_.steps.size(); ++i) {
      take(i);
    }
    return std::move(nested_);
  }

 private:
  void take(std::size_t place) {
    const WitnessedStep& step = witness_.steps[place];
    const WitnessedOperation& done = step.done;
    ++clocks_[done.actor][done.actor];
    if (done.kind == OperationKind::Join) {
      join_clock_of(done);
    } else if (takes_lock(done.kind)) {
      nest(done);
      held_[done.actor].push_back(done);
    } else if (done.kind == OperationKind::TryLock && succeeded(place)) {
      held_[done.actor].push_back(done);
    } else if (in_any_way_ && takes_otherwise(place)) {
      held_[done.actor].push_back(done);
    } else if (in_any_way_ && gives_up_otherwise(done)) {
      let_go(done.actor, done.object_id);
    } else if (gives_lock_up(done.kind)) {
      let_go(done.actor, done.object_id);
    } else if (done.kind == OperationKind::CondWait) {
      let_go(done.actor, mutex_of_wait(place));
    }
    for (const std::uint32_t woken : step.woken) {
      if (clocks_[woken][woken] == 0) {
        clocks_[woken] = clocks_[done.actor];  // it was started
      }
    }
  }

  [[nodiscard]] bool holds(const WitnessedOperation& done) const {
    return std::ranges::find(held_[done.actor], done.object_id, &WitnessedOperation::object_id) !=
           held_[done.actor].end();
  }

  /// For reading, by a gate, or by an attempt, perhaps: nothing that comes later says otherwise.
  [[nodiscard]] bool takes_otherwise(std::size_t place) const {
    const WitnessedOperation& done = witness_.steps[place].done;
    if (done.kind == OperationKind::ReadLock ||
        (done.kind == OperationKind::GatePass && is_on_gate_mutex(done))) {
      return true;
    }
    const bool attempts =
        done.kind == OperationKind::TryLock || (is_on_gate_mutex(done) && !holds(done));
    const WitnessedOperation* const next =
        next_of_task(place, [&](const auto& other) { return other.object_id == done.object_id; });
    return attempts && (next == nullptr || next->kind == OperationKind::GateChange);
  }
  [[nodiscard]] bool gives_up_otherwise(const WitnessedOperation& done) const {
    return done.kind == OperationKind::ReadUnlock || (is_on_gate_mutex(done) && holds(done));
  }

  void nest(const WitnessedOperation& inner) {
    for (const WitnessedOperation& outer : held_[inner.actor]) {
      NestedLock nested{.outer = outer,
                        .inner = inner,
                        .began = clocks_[inner.actor],
                        .position = clocks_[inner.actor][inner.actor]};
      for (const WitnessedOperation& gate : held_[inner.actor]) {
        if (gate.object_id != outer.object_id) {
          nested.gates.push_back(gate.object_id);
        }
      }
      nested_.push_back(std::move(nested));
    }
  }

  void join_clock_of(const WitnessedOperation& join) {
    for (std::uint32_t ended = 0; ended < witness_.actors.size(); ++ended) {
      if (witness_.actors[ended].digest == join.object_id) {
        for (std::size_t i = 0; i < clocks_[ended].size(); ++i) {
          clocks_[join.actor][i] = std::max(clocks_[join.actor][i], clocks_[ended][i]);
        }
      }
    }
  }

  void let_go(std::uint32_t actor, std::uint64_t lock) {
    std::vector<WitnessedOperation>& held = held_[actor];
    const auto found = std::ranges::find(held, lock, &WitnessedOperation::object_id);
    if (found != held.end()) {
      held.erase(found);
    }
  }

  /// The next operation of the task on the mutex shows it: only an owner unlocks.
  [[nodiscard]] bool succeeded(std::size_t place) const {
    const std::uint64_t mutex = witness_.steps[place].done.object_id;
    const WitnessedOperation* const next =
        next_of_task(place, [&](const auto& done) { return done.object_id == mutex; });
    return next != nullptr && next->kind == OperationKind::Unlock;
  }

  /// The lock that the task takes back after its wait; 0 when the run ended before.
  [[nodiscard]] std::uint64_t mutex_of_wait(std::size_t place) const {
    const std::vector<WitnessedOperation>& held = held_[witness_.steps[place].done.actor];
    const WitnessedOperation* const relock = next_of_task(place, [](const auto& done) {
      return takes_lock(done.kind) || done.kind == OperationKind::ReadLock;
    });
    return relock != nullptr ? relock->object_id : held.empty() ? 0 : held.back().object_id;
  }

  /// What the task of that step does next of what `fits`; null when it does nothing of that.
  [[nodiscard]] const WitnessedOperation* next_of_task(std::size_t place, const auto& fits) const {
    for (std::size_t i = place + 1; i < witness_.steps.size(); ++i) {
      const WitnessedOperation& done = witness_.steps[i].done;
      if (done.actor == witness_.steps[place].done.actor && fits(done)) {
        return &done;
      }
    }
    return nullptr;
  }

  const Witness& witness_;
  bool in_any_way_ = false;                            ///< what is kept in `held_`
  std::vector<std::vector<WitnessedOperation>> held_;  ///< by actor
  std::vector<std::vector<std::uint32_t>> clocks_;     ///< by actor: through starts and joins only
  std::vector<NestedLock> nested_;
};

bool share_a_gate(const NestedLock& one, const NestedLock& other) {
  return std::ranges::find_first_of(one.gates, other.gates) != one.gates.end();
}

bool surely_before(const NestedLock& one, const NestedLock& other) {
  return other.began[one.inner.actor] >= one.position;
}

bool can_meet(const NestedLock& one, const NestedLock& other) {
  return one.inner.actor != other.inner.actor && one.outer.object_id == other.inner.object_id &&
         one.inner.object_id == other.outer.object_id && !share_a_gate(one, other) &&
         !surely_before(one, other) && !surely_before(other, one);
}

bool same_places(const NestedLock& one, const NestedLock& other) {
  return one.inner.actor == other.inner.actor && one.outer.object_id == other.outer.object_id &&
         one.inner.object_id == other.inner.object_id &&
         one.inner.here.line() == other.inner.here.line() &&
         one.outer.here.line() == other.outer.here.line();
}

/// Holds each of the two tasks back before its inner lock until the other has got its outer one.
class MeetingStrategy final : public Strategy {
 public:
  MeetingStrategy(const LockInversion& inversion, const Witness& witness)
      : halves_{half_of(inversion.one, witness), half_of(inversion.other, witness)} {}

  void begin(const Scheduler& scheduler) override {
    Strategy::begin(scheduler);
    for (Half& half : halves_) {
      half.holds = 0;
    }
  }
  [[nodiscard]] bool observes() const override { return true; }
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override {
    if (choice.kind != ChoiceKind::Actor || both_hold()) {
      return 0;
    }
    for (std::uint32_t i = 0; i < choice.options; ++i) {
      if (!is_held_back(scheduler().option(i))) {
        return i;
      }
    }
    return 0;
  }
  void executed(const Actor& actor) override {
    const Operation& operation = actor.pending();
    for (Half& half : halves_) {
      if (operation.object == nullptr || actor.digest() != half.actor ||
          operation.object->digest() != half.outer) {
        continue;
      }
      if (takes_lock(operation.kind)) {
        half.holds = operation.here.line() == half.line ? 2 : 1;
      } else if (gives_lock_up(operation.kind)) {
        half.holds = 0;
      }
    }
  }

 private:
  struct Half {
    std::uint64_t actor;
    std::uint64_t outer;
    std::uint64_t inner;
    std::uint32_t line;  ///< where it takes the outer one
    int holds = 0;       ///< 2: the outer lock, from that line; 1: from another
  };

  static Half half_of(const NestedLock& nested, const Witness& witness) {
    return {witness.actors[nested.inner.actor].digest, nested.outer.object_id,
            nested.inner.object_id, nested.outer.here.line()};
  }
  [[nodiscard]] bool both_hold() const { return halves_[0].holds == 2 && halves_[1].holds == 2; }
  [[nodiscard]] bool is_held_back(const Actor& actor) const {
    const Operation& next = actor.pending();
    return std::ranges::any_of(halves_, [&](const Half& half) {
      return half.holds == 2 && actor.digest() == half.actor && next.object != nullptr &&
             takes_lock(next.kind) && next.object->digest() == half.inner;
    });
  }

  std::array<Half, 2> halves_;
};

}  // namespace

std::vector<LockInversion> predict_lock_inversions(const Witness& witness) {
  const std::vector<NestedLock> nested = LockWalk(witness).walk();
  std::vector<LockInversion> inversions;
  for (std::size_t i = 0; i < nested.size(); ++i) {
    for (std::size_t j = i + 1; j < nested.size(); ++j) {
      const bool known = std::ranges::any_of(inversions, [&](const LockInversion& each) {
        return same_places(each.one, nested[i]) && same_places(each.other, nested[j]);
      });
      if (!known && can_meet(nested[i], nested[j])) {
        inversions.push_back({nested[i], nested[j]});
      }
    }
  }
  return inversions;
}

std::vector<WitnessedOperation> locks_held(const Witness& witness, std::uint32_t actor,
                                           std::size_t step) {
  return LockWalk(witness).held_behind(actor, step);
}

std::string LockInversion::to_string(const Witness& witness) const {
  const auto half = [&](const NestedLock& nested) {
    return fmt::format("{}, and then {}", describe(witness, nested.outer), deed(nested.inner));
  };
  return half(one) + ".\n" + half(other) + ".";
}

std::optional<Failure> confirm(const LockInversion& inversion, const Witness& witness,
                               const std::function<void(runtime::Runtime&)>& body) {
  World world(options_of(witness.schedule));
  MeetingStrategy strategy(inversion, witness);
  const RunResult played = world.run(strategy, body);
  const bool between_them =
      played.failure && played.failure->kind == "deadlock" &&
      played.failure->sentence.find(inversion.one.inner.object) != std::string::npos &&
      played.failure->sentence.find(inversion.other.inner.object) != std::string::npos;
  return between_them ? played.failure : std::nullopt;
}

}  // namespace watchlab::sim
