#include "sim/std/world_parts.hpp"

#include <fmt/format.h>

#include "sim/kernel/fiber.hpp"
#include "sim/kernel/path_text.hpp"
#include "sim/kernel/primitives/sim_cell.hpp"
#include "sim/kernel/primitives/sim_cond_var.hpp"
#include "sim/kernel/primitives/sim_gate.hpp"
#include "sim/kernel/primitives/sim_mutex.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::stdx {
namespace {

using sim::Guest;
using sim::ObjectKind;
using sim::Quiet;
using sim::World;

bool is_spurious(World& world, const sim::SimCondVar& condition) {
  const Quiet quiet;
  return !world.scheduler().running_down() &&
         world.scheduler().is_spurious(condition, "whether a wait ends without a notification");
}

/// What the guest has in this run; it is made when it is asked for first.
template <typename Backend>
Backend& backend_of(Guest& guest, World& world, ObjectKind kind, std::string_view name,
                    Location made) {
  if (runtime::RetirableBackend* const known = guest.backend_in(world.guests())) {
    return static_cast<Backend&>(*known);
  }
  sim::Scheduler& scheduler = world.scheduler();
  auto* const fresh = new Backend(scheduler, scheduler.identify(kind, name), made);
  fresh->set_digest(guest.name_in(world.guests()));
  fresh->set_ordinal(world.guests().count(name.empty() ? to_string(kind) : name, made));
  guest.enter(world.guests(), fresh);
  return *fresh;
}

}  // namespace

World* world_here() { return World::here(); }

namespace {

void note(const CellPart::Operation& by) {
  if (by.order != std::memory_order_seq_cst) {
    const Quiet quiet;
    by.world.scheduler().note_weaker(by.here);
  }
}

}  // namespace

sim::SimMutex& MutexPart::at(World& world) {
  const Quiet quiet;
  auto& mutex = backend_of<sim::SimMutex>(guest_, world, ObjectKind::Mutex, "", made_);
  mutex.set_standard();
  return mutex;
}

void MutexPart::lock(World& world, Location here) { at(world).lock(here); }

bool MutexPart::try_lock(World& world, Location here) { return at(world).try_lock(here); }

bool MutexPart::is_mine(World& world) {
  const Quiet quiet;
  return at(world).owner() == &world.scheduler().current();
}

void MutexPart::unlock(World& world, Location here) {
  if (world.scheduler().stopping()) {  // and this may be gone, see `guards_are_void`
    return;
  }
  if (!is_mine(world)) {
    report_misuse(world, fmt::format("unlocks {}, which it does not hold", at(world).describe()),
                  here, at(world).not_held_because());
    return;
  }
  at(world).unlock(here);
}

bool ConditionPart::wait(World& world, MutexPart& mutex, std::optional<runtime::TimePoint> deadline,
                         Location here) {
  sim::SimMutex& held = mutex.at(world);
  if (!mutex.is_mine(world)) {
    report_misuse(world, fmt::format("waits with {}, which it does not hold", held.describe()),
                  here, held.not_held_because());
  }
  const auto condition = [&]() -> sim::SimCondVar& {
    const Quiet quiet;
    return backend_of<sim::SimCondVar>(guest_, world, ObjectKind::CondVar, "", made_);
  };
  const bool over = is_over(world, deadline);
  if (over || is_spurious(world, condition())) {
    mutex.unlock(world, here);
    mutex.lock(world, here);
    return !over;
  }
  return condition().wait(held, deadline, here);
}

void ConditionPart::notify(World& world, bool all, Location here) {
  const Quiet quiet;
  auto& condition = backend_of<sim::SimCondVar>(guest_, world, ObjectKind::CondVar, "", made_);
  if (all) {
    condition.notify_all(here);
  } else {
    condition.notify_one(here);
  }
}

sim::SimCell& CellPart::at(World& world) {
  const Quiet quiet;
  const ObjectKind kind = of_ == Of::Atomic ? ObjectKind::Atomic : ObjectKind::Cell;
  return backend_of<sim::SimCell>(guest_, world, kind, "", made_);
}

sim::CellAccess CellPart::begin(World& world, runtime::AccessKind kind, bool reads, Location here) {
  const Quiet quiet;
  world.scheduler().look_on_after_sleep();
  return at(world).begin_access(kind, reads, here);
}

void CellPart::end(const Operation& by, runtime::AccessKind kind, bool changed) {
  note(by);
  at(by.world).order(kind, by.order, changed);
}

void CellPart::weak_load(const Operation& by, std::span<std::byte> value) {
  note(by);
  at(by.world).weak_load(by.order, value);
}

void CellPart::weak_store(const Operation& by, std::span<const std::byte> stored,
                          std::span<std::byte> value) {
  note(by);
  at(by.world).weak_store(by.order, stored, value);
}

void CellPart::weak_take(const Operation& by, std::span<std::byte> value) {
  note(by);
  at(by.world).weak_take(by.order, value);
}

bool CellPart::weak_compare(const Operation& by, const sim::ExchangeOrders& orders,
                            std::span<const std::byte> expected, std::span<std::byte> value) {
  note(by);
  return at(by.world).weak_compare(orders, expected, value);
}

void CellPart::weak_put(const Operation& by, std::span<std::byte> value) {
  at(by.world).weak_put(by.order, value);
}

void CellPart::await_notification(World& world, Location here) {
  at(world).await_notification(here);
}

void CellPart::notify(World& world, bool all, Location here) { at(world).notify(all, here); }

void CellPart::plain(World& world, runtime::AccessKind kind, Location here) {
  at(world).plain_access(kind, here);
}

sim::SimGate& GatePart::at(World& world) {
  const Quiet quiet;
  auto& gate = backend_of<sim::SimGate>(guest_, world, ObjectKind::Gate, name_, made_);
  if (!gate.opening) {
    gate.opening = opening_;
    begin_();
  }
  return gate;
}

runtime::TimePoint now(World& world) { return world.now(); }

void sleep_until(World& world, runtime::TimePoint deadline, Location here) {
  world.sleep_until(deadline, here);
}

void yield(World& world, Location here) { world.yield(here); }

void fence(World& world, std::memory_order order, Location here) {
  const Quiet quiet;
  if (world.scheduler().running_down() || order == std::memory_order_relaxed) {
    return;
  }
  if (order != std::memory_order_seq_cst) {
    world.scheduler().note_weaker(here);
  }
  world.scheduler().fence(order);
}

std::shared_ptr<runtime::TaskBackend> spawn(World& world, std::function<void()> body,
                                            Location here) {
  return world.spawn("thread", std::move(body), here);
}

void join(World& world, runtime::TaskBackend& task, Location here) {
  if (!world.scheduler().running_down()) {
    try {
      task.join(here);
    } catch (const runtime::TaskKilled&) {  // the world has stopped meanwhile, see the header
      return;
    }
  }
}

std::uint64_t number_of_task(World& world) { return world.scheduler().current().digest(); }

std::uint64_t number_of(const runtime::TaskBackend& task) {
  return static_cast<const sim::SimTask&>(task).digest();
}

std::string path_of(const runtime::TaskBackend& task) {
  return static_cast<const sim::SimTask&>(task).identity().readable_path();
}

void report_misuse(World& world, std::string_view what, Location here,
                   std::string_view counterpart) {
  const Quiet quiet;
  sim::Scheduler& scheduler = world.scheduler();
  const std::string place = here.line() == 0 ? "" : fmt::format(" ({})", sim::place_text(here));
  scheduler.fail("violation",
                 fmt::format("task {} {}{}{}", scheduler.current().identity().readable_path(), what,
                             place, counterpart));
}

bool is_stopping(World& world) { return world.scheduler().stopping(); }

}  // namespace watchlab::stdx
