#include "sim/explore/private_objects.hpp"

#include "sim/kernel/run_result.hpp"

namespace watchlab::sim {
namespace {

/// Channels are left out: a select touches several of them in one step.
bool is_private_kind(const SimObject* object) {
  if (object == nullptr) {
    return false;
  }
  switch (object->identity().kind) {
    case ObjectKind::Mutex:
    case ObjectKind::SharedMutex:
    case ObjectKind::CondVar:
    case ObjectKind::WaitGroup:
    case ObjectKind::Cell:
    case ObjectKind::Atomic:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool PrivateObjects::prepare(std::size_t run) {
  if (run != run_) {
    run_ = run;
    shared_in_this_run_.clear();
  }
  return StrategyDecorator::prepare(run);
}

void PrivateObjects::begin(const Scheduler& scheduler) {
  must_restart_ = false;
  spared_ = 0;
  StrategyDecorator::begin(scheduler);
}

std::uint32_t PrivateObjects::choose(const Choice& choice) {
  if (choice.kind == ChoiceKind::Actor && choice.at == &scheduler().option(0) &&
      may_continue(*choice.at)) {
    ++spared_;
    return 0;
  }
  return StrategyDecorator::choose(choice);
}

bool PrivateObjects::may_continue(const Actor& actor) {
  const SimObject* const object = actor.pending().object;
  if (!is_private_kind(object) || is_used_by_others(*object, actor)) {
    return false;
  }
  object->use().spared = true;
  return true;
}

bool PrivateObjects::is_used_by_others(const SimObject& object, const Actor& actor) {
  ObjectUse& use = object.use();
  if (use.by == ObjectUse::By::Several) {
    return true;
  }
  if (use.by == ObjectUse::By::Unknown) {
    if (is_marked(object.digest())) {
      use.by = ObjectUse::By::Several;
      return true;
    }
    use.by = ObjectUse::By::OneTask;
    use.owner = actor.digest();
    return false;
  }
  if (use.owner == actor.digest()) {
    return false;
  }
  use.by = ObjectUse::By::Several;
  must_restart_ = must_restart_ || use.spared;
  (learning_ ? shared_ : shared_in_this_run_).insert(object.digest());
  return true;
}

void PrivateObjects::executed(const Actor& actor) {
  const SimObject* const object = actor.pending().object;
  if (is_private_kind(object) && !is_used_by_others(*object, actor)) {
    return;  // what is no decision shall not weigh in one
  }
  StrategyDecorator::executed(actor);
}

void PrivateObjects::end(const RunResult& result) {
  // A failure is one, whatever was left out on the way to it.
  must_restart_ = must_restart_ && !result.failure;
  if (!must_restart_) {
    StrategyDecorator::end(result);
  }
}

}  // namespace watchlab::sim
