#include "sim/linearizability/history.hpp"

#include "core/runtime/ensure.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/world.hpp"
#include "sim/linearizability/linearizability.hpp"

namespace watchlab::sim::linearizability {
namespace {

World& world_of(runtime::Runtime& runtime) {
  auto* const world = dynamic_cast<World*>(&runtime);
  runtime::ensure(world != nullptr, "histories are recorded in simulated worlds only");
  return *world;
}

}  // namespace

History::History(runtime::Runtime& runtime)
    : world_(world_of(runtime)), calling_(runtime, 0, "history") {}

std::size_t History::invoke(const Request& asked, runtime::Location here) {
  (void)calling_.load(here);
  const Quiet quiet;  // who writes down a call is no part of what is under test
  const Scheduler& scheduler = world_.scheduler();
  calls_.push_back({.task = scheduler.running().identity().readable_path(),
                    .asked = asked,
                    .invoked = ++moments_,
                    .invoked_step = scheduler.steps()});
  return calls_.size() - 1;
}

std::string History::complete(std::size_t call, std::string result) {
  const Quiet quiet;
  if (!world_.scheduler().stopping()) {  // then whatever came back means nothing
    calls_[call].result = result;
    calls_[call].returned = ++moments_;
    calls_[call].returned_step = world_.scheduler().steps();
  }
  return result;
}

void History::expect_linearizable(const Model& model, runtime::Location here) const {
  const auto violation = check_linearizability(model, calls_);
  runtime::ensure(!violation, violation ? violation->to_string() : "", here);
}

}  // namespace watchlab::sim::linearizability
