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
  return kind == OperationKind::Lock || kind == OperationKind::Relock;
}

/// The last step that `fits`; nothing when there is none.
template <typename Fits>
std::optional<std::size_t> last_step(const Witness& witness, Fits fits) {
  for (std::size_t i = witness.steps.size(); i-- > 0;) {
    if (fits(witness.steps[i])) {
      return i;
    }
  }
  return std::nullopt;
}

std::optional<LostWakeup> lost_by(const Witness& witness, const WitnessedOperation& wants) {
  const auto waited = last_step(witness, [&](const WitnessedStep& step) {
    return step.done.actor == wants.actor && step.done.kind == OperationKind::CondWait;
  });
  const auto notified = last_step(witness, [&](const WitnessedStep& step) {
    return is_notify(step.done.kind) && step.done.object_id == wants.object_id;
  });
  if (!waited || !notified) {
    return std::nullopt;
  }
  const std::vector<std::uint32_t>& woken = witness.steps[*notified].woken;
  LostWakeup lost{.waiter = wants.actor, .notified = *notified, .waited = *waited};
  if (*notified < *waited) {
    for (std::size_t i = *notified; i-- > 0 && !lost.certain;) {
      // A task that took the lock before the notification, and not again after it, had looked
      // before.
      const WitnessedOperation& done = witness.steps[i].done;
      lost.certain = done.actor == wants.actor && takes_the_lock(done.kind);
    }
    for (std::size_t i = *notified + 1; i < *waited; ++i) {
      const WitnessedOperation& done = witness.steps[i].done;
      lost.certain = lost.certain && (done.actor != wants.actor || !takes_the_lock(done.kind));
    }
    return woken.empty() ? std::optional(lost) : std::nullopt;
  }
  if (woken.size() == 1 && witness.steps[*notified].done.kind == OperationKind::NotifyOne) {
    lost.taker = woken.front();
    return lost;
  }
  return std::nullopt;
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
