#include "sim/kernel/primitives/holder.hpp"

#include <fmt/format.h>

#include "sim/kernel/path_text.hpp"

namespace watchlab::sim {
namespace {

constexpr std::size_t kNamedMax = 3;

bool has_ended(const Holder& holder) { return holder.task->state == SimTask::State::Ended; }

}  // namespace

std::string describe_holders(std::span<const Holder> holders, std::string_view role,
                             const SimTask& asks) {
  std::vector<Holder> named(holders.begin(), holders.end());
  std::ranges::stable_partition(named, [&](const Holder& each) { return each.task == &asks; });
  std::string text;
  for (std::size_t i = 0; i < std::min(named.size(), kNamedMax); ++i) {
    const Holder& holder = named[i];
    text += i == 0 ? fmt::format("which {}{} holds since", role,
                                 holder.task->identity().readable_path())
                   : fmt::format(" and {} since", holder.task->identity().readable_path());
    text += fmt::format(" step {} ({})", holder.since_step, place_text(holder.since));
    if (has_ended(holder)) {
      text += ", and that task has ended without unlocking it";
    }
  }
  if (named.size() > kNamedMax) {
    text += fmt::format(" and {} more", named.size() - kNamedMax);
  }
  return text;
}

std::string LastOperation::describe(const Scheduler& scheduler, std::string_view did,
                                    std::string_view never) const {
  if (step_ == 0) {
    return std::string(never);
  }
  std::string who =
      pinned_at_ == step_ ? pinned_->identity().readable_path() : "a task that has ended";
  for (const Actor* const actor : scheduler.actors()) {
    if (actor->digest() == task_) {
      who = actor->identity().readable_path();
    }
  }
  return fmt::format("; {} {} at step {} ({})", who, did, step_, place_text(here_));
}

std::string describe_hold(const Scheduler& scheduler, std::span<const Holder> holders,
                          const LastOperation& unlocked, std::string_view role) {
  if (holders.empty()) {
    return unlocked.describe(scheduler, "unlocked it", "; no task has locked it");
  }
  const Holder& holder = holders.front();
  return fmt::format("; {}{} has held it since step {} ({})", role,
                     holder.task->identity().readable_path(), holder.since_step,
                     place_text(holder.since));
}

void report_guard(Scheduler& scheduler, const SimObject& object, runtime::Location locked,
                  const LastOperation& unlocked) {
  scheduler.fail("violation",
                 fmt::format("a guard of task {} that locked {} ({}) unlocks it in vain: it is not "
                             "locked any more{}",
                             scheduler.current().identity().readable_path(), object.describe(),
                             place_text(locked), unlocked.describe(scheduler, "unlocked it", "")));
}

}  // namespace watchlab::sim
