#include "sim/explain/lost_wakeup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/explain/wording.hpp"

namespace watchlab::sim {
namespace {

bool is_notify(OperationKind kind) {
  return kind == OperationKind::NotifyOne || kind == OperationKind::NotifyAll;
}

bool takes_the_lock(OperationKind kind) {
  return kind == OperationKind::Lock || kind == OperationKind::Relock ||
         kind == OperationKind::WriteLock || kind == OperationKind::ReadLock;
}

/// The last step before `end` that `fits`; nothing when there is none.
template <typename Fits>
std::optional<std::size_t> last_step(const Witness& witness, std::size_t end, Fits fits) {
  for (std::size_t i = end; i-- > 0;) {
    if (fits(witness.steps[i])) {
      return i;
    }
  }
  return std::nullopt;
}

/// Whether the waiter had looked before the notification: it took the lock before it, and not again
/// between it and the wait.
bool had_looked(const Witness& witness, const LostWakeup& lost) {
  const auto taken = last_step(witness, lost.waited, [&](const WitnessedStep& step) {
    return step.done.actor == lost.waiter && takes_the_lock(step.done.kind);
  });
  return taken && *taken < lost.notified;
}

/// A notification that reached nobody is the one that was lost; only where there is none, it was
/// one that another task took.
std::optional<LostWakeup> lost_by(const Witness& witness, const WitnessedOperation& wants) {
  const auto waited = last_step(witness, witness.steps.size(), [&](const WitnessedStep& step) {
    return step.done.actor == wants.actor && step.done.kind == OperationKind::CondWait;
  });
  if (!waited) {
    return std::nullopt;
  }
  const auto notifies = [&](const WitnessedStep& step) {
    return is_notify(step.done.kind) && step.done.object_id == wants.object_id &&
           step.done.actor != wants.actor;
  };
  LostWakeup missed{.waiter = wants.actor, .waited = *waited};
  const auto nobody = last_step(witness, *waited, [&](const WitnessedStep& step) {
    return notifies(step) && step.woken.empty();
  });
  if (nobody) {
    missed.notified = *nobody;
    missed.certain = had_looked(witness, missed);
    if (missed.certain) {
      return missed;
    }
  }
  const auto last = last_step(witness, witness.steps.size(), notifies);
  if (last && *last > *waited) {
    const WitnessedStep& notify = witness.steps[*last];
    if (notify.woken.size() == 1 && notify.done.kind == OperationKind::NotifyOne) {
      return LostWakeup{.waiter = wants.actor,
                        .notified = *last,
                        .waited = *waited,
                        .taker = notify.woken.front()};
    }
    return std::nullopt;
  }
  return nobody && *nobody == last ? std::optional(missed) : std::nullopt;
}

}  // namespace

std::optional<LostWakeup> find_lost_wakeup(const Witness& witness) {
  for (const StuckTask& stuck : witness.stuck) {
    if (stuck.wants.kind == OperationKind::CondWait) {
      if (const auto lost = lost_by(witness, stuck.wants)) {
        return lost;
      }
    }
  }
  return std::nullopt;
}

std::string LostWakeup::to_string(const Witness& witness) const {
  const WitnessedStep& notify = witness.steps[notified];
  const WitnessedStep& wait = witness.steps[waited];
  const std::string notifies =
      fmt::format("step {}: {}", notify.step, describe(witness, notify.done));
  const std::string waits = fmt::format("step {}: {}", wait.step, describe(witness, wait.done));
  if (!taker) {
    return fmt::format(
        "{}. No task waits, so it wakes none.\n{}. No task is left that would wake it.", notifies,
        waits);
  }
  return fmt::format("{}. It waits to the end.\n{}. That wakes {} and no other task.", waits,
                     notifies, witness.name(*taker));
}

}  // namespace watchlab::sim
