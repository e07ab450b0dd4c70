#include "sim/kernel/primitives/foreign_unlock.hpp"

#include <fmt/format.h>

#include "sim/kernel/path_text.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

void ForeignUnlock::note(Scheduler& scheduler, runtime::Location here) {
  SimTask& me = scheduler.current();
  me.pin();
  by_ = &me;
  step_ = scheduler.steps();
  here_ = here;
}

std::string ForeignUnlock::describe() const {
  return by_ == nullptr ? ""
                        : fmt::format("; {} unlocked it at step {} ({})", by_->identity().path(),
                                      step_, place_text(here_));
}

void ForeignUnlock::report_guard(Scheduler& scheduler, const SimObject& object,
                                 runtime::Location locked) const {
  scheduler.fail("violation",
                 fmt::format("a guard of task {} that locked {} ({}) unlocks it in vain: it is not "
                             "locked any more{}",
                             scheduler.current().identity().path(), object.describe(),
                             place_text(locked), describe()));
}

}  // namespace watchlab::sim
