#include "sim/std/mutex.hpp"

#include "sim/kernel/primitives/sim_gate.hpp"

namespace watchlab::stdx {

using sim::SimGate;

template <typename Real, bool kRecursive>
uint8_t GateMutex<Real, kRecursive>::ways() const {
  const bool free = depth_ == 0;
  return static_cast<uint8_t>((free && readers_ == 0 ? SimGate::kAlone : 0) |
                              (free ? SimGate::kShared : 0));
}

template <typename Real, bool kRecursive>
bool GateMutex<Real, kRecursive>::take(sim::World& world, optional<runtime::TimePoint> deadline,
                                       Location here) {
  SimGate& gate = part_.at(world);
  if (takes_again(world)) {
    ++depth_;
    return true;
  }
  const auto free = [this] { return (ways() & SimGate::kAlone) != 0; };
  const auto enter = [this, &world] {
    depth_ = 1;
    holder_ = number_of_task(world);
  };
  if (is_over(world, deadline)) {
    return try_lock(here);
  }
  return gate.pass(free, enter,
                   {.way = SimGate::kAlone,
                    .edges = SimGate::Acquires | SimGate::AcquiresReaders,
                    .holding = SimGate::Holding::Begins,
                    .deadline = deadline},
                   here);
}

template <typename Real, bool kRecursive>
bool GateMutex<Real, kRecursive>::try_lock(Location here) {
  sim::World* const world = world_here();
  if (world == nullptr) {
    return real_.try_lock();
  }
  SimGate& gate = part_.at(*world);
  if (takes_again(*world)) {
    ++depth_;
    return true;
  }
  const auto attempt = [this, world] {
    if ((ways() & SimGate::kAlone) == 0) {
      return false;
    }
    depth_ = 1;
    holder_ = number_of_task(*world);
    return true;
  };
  return gate.attempt(attempt, SimGate::Acquires | SimGate::AcquiresReaders,
                      SimGate::Holding::Begins, here);
}

template <typename Real, bool kRecursive>
void GateMutex<Real, kRecursive>::unlock(Location here) {
  sim::World* const world = world_here();
  if (world == nullptr) {
    real_.unlock();
    return;
  }
  if (is_stopping(*world)) {  // and this may be gone, see `guards_are_void`
    return;
  }
  SimGate& gate = part_.at(*world);
  if (depth_ == 0 || holder_ != number_of_task(*world)) {
    report_misuse(*world, "unlocks " + gate.describe() + ", which it does not hold", here,
                  gate.held_because());
  } else if (depth_ > 1) {
    --depth_;
  } else {
    const auto leave = [this, &gate, here] {
      depth_ = 0;
      (void)gate.let_go(here);
    };
    gate.change(leave, SimGate::Releases, here);
  }
}

template class GateMutex<::std::timed_mutex, false>;
template class GateMutex<::std::recursive_timed_mutex, true>;
template class GateMutex<::std::shared_timed_mutex, false>;

bool shared_timed_mutex::take_shared(sim::World& world, optional<runtime::TimePoint> deadline,
                                     Location here) {
  if (is_over(world, deadline)) {
    return try_lock_shared(here);
  }
  return part_.at(world).pass([this] { return depth_ == 0; }, [this] { ++readers_; },
                              {.way = SimGate::kShared,
                               .edges = SimGate::Acquires,
                               .holding = SimGate::Holding::Begins,
                               .deadline = deadline},
                              here);
}

bool shared_timed_mutex::try_lock_shared(Location here) {
  sim::World* const world = world_here();
  if (world == nullptr) {
    return real_.try_lock_shared();
  }
  const auto attempt = [this] {
    readers_ += depth_ == 0 ? 1 : 0;
    return depth_ == 0;
  };
  return part_.at(*world).attempt(attempt, SimGate::Acquires, SimGate::Holding::Begins, here);
}

void shared_timed_mutex::unlock_shared(Location here) {
  sim::World* const world = world_here();
  if (world == nullptr) {
    real_.unlock_shared();
    return;
  }
  if (is_stopping(*world)) {
    return;
  }
  SimGate& gate = part_.at(*world);
  const auto leave = [this, world, &gate, here] {
    if (readers_ == 0 || !gate.let_go(here)) {
      report_misuse(*world, "unlocks " + gate.describe() + " as a reader, which it is not", here,
                    gate.held_because());
    } else {
      --readers_;
    }
  };
  gate.change(leave, SimGate::ReleasesReaders, here);
}

bool once_flag::begin(sim::World& world, Location here) {
  bool calls = false;
  SimGate& gate = part_.at(world);
  const auto enter = [this, &calls, &gate, here] {
    calls = !done_;
    running_ = calls;
    if (calls) {
      gate.hold(here);
    }
  };
  gate.pass([this] { return !running_; }, enter, {}, here);
  return calls;
}

void once_flag::end(sim::World& world, bool done, Location here) {
  SimGate& gate = part_.at(world);
  const auto leave = [this, done, &gate, here] {
    running_ = false;
    done_ = done;
    (void)gate.let_go(here);
  };
  gate.change(leave, SimGate::Releases, here);
}

}  // namespace watchlab::stdx
