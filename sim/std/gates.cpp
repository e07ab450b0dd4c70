#include "sim/kernel/primitives/sim_gate.hpp"
#include "sim/std/barrier.hpp"
#include "sim/std/latch.hpp"
#include "sim/std/semaphore.hpp"

// What waits without being a lock: semaphores, latches, barriers.

namespace watchlab::stdx {

using sim::SimGate;

namespace {

uint8_t alone_when(bool open) { return open ? SimGate::kAlone : uint8_t{0}; }

}  // namespace

SemaphorePart::SemaphorePart(ptrdiff_t first, ptrdiff_t most, Location made)
    : part_(
          "semaphore", made, [this] { return alone_when(count_ > 0); },
          [this] { count_ = first_; }),
      first_(first),
      most_(most),
      count_(first) {}

void SemaphorePart::release(sim::World& world, ptrdiff_t update, Location here) {
  SimGate& gate = part_.at(world);
  const auto add = [&] {
    count_ += update;
    if (count_ > most_) {
      report_misuse(world, "releases " + gate.describe() + " beyond its largest value", here);
    }
  };
  gate.change(add, SimGate::Releases, here);
}

bool SemaphorePart::try_acquire(sim::World& world, Location here) {
  const auto take = [this] { return count_ > 0 && count_-- > 0; };
  return part_.at(world).attempt(take, SimGate::Acquires, SimGate::Holding::None, here);
}

bool SemaphorePart::acquire(sim::World& world, optional<runtime::TimePoint> deadline,
                            Location here) {
  if (is_over(world, deadline)) {
    return try_acquire(world, here);
  }
  return part_.at(world).pass([this] { return count_ > 0; }, [this] { --count_; },
                              {.deadline = deadline}, here);
}

latch::latch(ptrdiff_t expected, Location made)
    : part_(
          "latch", made, [this] { return alone_when(left_ == 0); }, [this] { left_ = expected_; }),
      expected_(expected),
      left_(expected),
      real_(expected) {}

void latch::count_down(ptrdiff_t update, Location here) {
  sim::World* const world = world_here();
  if (world == nullptr) {
    real_.count_down(update);
    return;
  }
  SimGate& gate = part_.at(*world);
  const auto count = [&] {
    left_ -= update;
    if (left_ == 0) {
      gate.opens();
    }
    if (left_ < 0) {
      report_misuse(*world, "counts " + gate.describe() + " below zero", here);
    }
  };
  gate.change(count, SimGate::Releases, here);
}

bool latch::try_wait(Location here) const {
  sim::World* const world = world_here();
  return world == nullptr
             ? real_.try_wait()
             : part_.at(*world).attempt([this] { return left_ == 0; }, SimGate::Acquires,
                                        SimGate::Holding::None, here);
}

void latch::wait(Location here) const {
  sim::World* const world = world_here();
  if (world == nullptr) {
    real_.wait();
  } else {
    part_.at(*world).pass([this] { return left_ == 0; }, [] {}, {.way = SimGate::kOnce}, here);
  }
}

BarrierPart::BarrierPart(ptrdiff_t expected, Location made)
    : part_(
          "barrier", made, [] { return uint8_t{0}; }, [this] { expected_ = left_ = first_; }),
      first_(expected),
      expected_(expected),
      left_(expected) {}

bool BarrierPart::arrive(sim::World& world, ptrdiff_t update, bool drops, Location here) {
  SimGate& gate = part_.at(world);
  bool is_last = false;
  const auto count = [&] {
    left_ -= update;
    expected_ -= drops ? 1 : 0;
    is_last = left_ == 0;
    if (left_ < 0) {
      report_misuse(world, "arrives at " + gate.describe() + " more often than expected", here);
    }
  };
  gate.change(count, SimGate::Acquires | SimGate::Releases, here);
  return is_last;
}

void BarrierPart::complete(sim::World& world, Location here) {
  SimGate& gate = part_.at(world);
  const auto begin_phase = [this, &gate] {
    gate.opens();
    ++phase_;
    left_ = expected_;
  };
  gate.change(begin_phase, SimGate::Releases, here);
}

void BarrierPart::wait(sim::World& world, uint64_t phase, Location here) {
  part_.at(world).pass([this, phase] { return phase_ != phase; }, [] {}, {.way = SimGate::kOnce},
                       here);
}

}  // namespace watchlab::stdx
