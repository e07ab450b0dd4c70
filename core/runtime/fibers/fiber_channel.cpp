#include "core/runtime/fibers/fiber_channel.hpp"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <functional>
#include <utility>

#include "core/runtime/ensure.hpp"
#include "core/runtime/fibers/scheduler.hpp"

namespace watchlab::runtime {
namespace {

/// Nearly every select has fewer arms, and then it allocates nothing.
constexpr std::size_t kFewArms = 4;

FiberChannel* fiber_channel_of(const SelectCase& arm) {
  return static_cast<FiberChannel*>(arm.channel);
}

[[noreturn]] void panic_of_send() { throw Panic("send on a closed channel"); }

void wake(Sleeper* woken) {
  if (woken != nullptr) {
    woken->wake();
  }
}

}  // namespace

void FiberChannel::close(Location) {
  WaitQueue woken;
  {
    const SpinGuard guard(lock_);
    if (closed_) {
      throw Panic("close of a closed channel");
    }
    closed_ = true;
    for (WaitQueue* const queue : {&receivers_, &senders_}) {
      while (Waiter* const waiter = queue->claim()) {
        waiter->sleeper->because_closed = true;
        woken.push_back(*waiter);
      }
    }
  }
  wake_all(woken);
}

std::size_t FiberChannel::size(Location) {
  const SpinGuard guard(lock_);
  return buffer_.size();
}

void FiberChannel::offer(AnyValue any_value) {
  Sleeper* woken = nullptr;
  {
    const SpinGuard guard(lock_);
    static_cast<void>(send(any_value, woken));
  }
  wake(woken);
}

FiberChannel::Outcome FiberChannel::attempt(SelectCase& arm, Sleeper*& woken) {
  return arm.direction == SelectCase::Direction::Send ? send(arm.any_value, woken)
                                                      : receive(arm.any_value, woken);
}

FiberChannel::Outcome FiberChannel::send(AnyValue& any_value, Sleeper*& woken) {
  if (closed_) {
    return Outcome::Panics;
  }
  if (Waiter* const receiver = receivers_.claim()) {
    *receiver->any_value = std::move(any_value);
    woken = receiver->sleeper;
    return Outcome::Done;
  }
  if (buffer_.size() < capacity_) {
    put_into_buffer(std::move(any_value));
    return Outcome::Done;
  }
  return Outcome::Blocked;
}

FiberChannel::Outcome FiberChannel::receive(AnyValue& any_value, Sleeper*& woken) {
  const bool from_buffer = !buffer_.empty();
  if (from_buffer) {
    any_value = std::move(buffer_.front());
    buffer_.pop_front();
  } else if (closed_) {
    any_value.reset();
    return Outcome::Done;
  }
  if (Waiter* const sender = senders_.claim()) {
    if (from_buffer) {
      put_into_buffer(std::move(*sender->any_value));
    } else {
      any_value = std::move(*sender->any_value);
    }
    woken = sender->sleeper;
    return Outcome::Done;
  }
  return from_buffer ? Outcome::Done : Outcome::Blocked;
}

void FiberChannel::put_into_buffer(AnyValue any_value) {
  if (buffer_.full()) {
    buffer_.set_capacity(std::min(capacity_, std::max<std::size_t>(4, buffer_.capacity() * 2)));
  }
  buffer_.push_back(std::move(any_value));
}

WaitQueue& FiberChannel::waiting(SelectCase::Direction direction) {
  return direction == SelectCase::Direction::Send ? senders_ : receivers_;
}

std::optional<std::size_t> FiberSelect::run(bool blocking) {
  return cases_.size() == 1 ? run_one(blocking) : run_many(blocking);
}

std::optional<std::size_t> FiberSelect::run_one(bool blocking) {
  SelectCase& arm = cases_[0];
  FiberChannel* const channel = fiber_channel_of(arm);
  if (channel == nullptr) {
    return blocking ? std::optional(block(nullptr, 0)) : std::nullopt;
  }
  channel->lock_.lock();
  Sleeper* woken = nullptr;
  const FiberChannel::Outcome outcome = channel->attempt(arm, woken);
  if (outcome == FiberChannel::Outcome::Blocked && blocking) {
    Sleeper sleeper(here_);
    Waiter waiter{.sleeper = &sleeper, .any_value = &arm.any_value};
    channel->waiting(arm.direction).push_back(waiter);
    sleeper.sleep(channel->lock_);
    // From here on the channel may be gone: whoever woke us had the last handle.
    if (sleeper.because_closed && arm.direction == SelectCase::Direction::Send) {
      panic_of_send();
    }
    return 0;
  }
  channel->lock_.unlock();
  wake(woken);
  if (outcome == FiberChannel::Outcome::Panics) {
    panic_of_send();
  }
  return outcome == FiberChannel::Outcome::Done ? std::optional<std::size_t>(0) : std::nullopt;
}

std::optional<std::size_t> FiberSelect::run_many(bool blocking) {
  // Each lock once, in the order of their addresses: two selects over the same channels must not
  // wait for each other.
  boost::container::small_vector<SpinLock*, kFewArms> locks;
  boost::container::small_vector<std::size_t, kFewArms> arms;
  for (std::size_t arm = 0; arm < cases_.size(); ++arm) {
    if (FiberChannel* const channel = fiber_channel_of(cases_[arm])) {
      locks.push_back(&channel->lock_);
      arms.push_back(arm);
    }
  }
  if (locks.size() > 1) {
    std::sort(locks.begin(), locks.end(), std::less<>());
    locks.erase(std::unique(locks.begin(), locks.end()), locks.end());
  }
  for (SpinLock* const lock : locks) {
    lock->lock();
  }
  Sleeper* woken = nullptr;
  auto outcome = FiberChannel::Outcome::Blocked;
  std::size_t done = 0;
  // Each arm is tried once, in a random order.
  for (std::size_t left = arms.size(); left > 0 && outcome == FiberChannel::Outcome::Blocked;
       --left) {
    const std::size_t drawn = left == 1 ? 0 : scheduler_.draw(left);
    done = std::exchange(arms[drawn], arms[left - 1]);
    outcome = fiber_channel_of(cases_[done])->attempt(cases_[done], woken);
  }
  if (outcome == FiberChannel::Outcome::Blocked && blocking) {
    return block(locks.data(), locks.size());
  }
  for (SpinLock* const lock : locks) {
    lock->unlock();
  }
  wake(woken);
  if (outcome == FiberChannel::Outcome::Panics) {
    panic_of_send();
  }
  return outcome == FiberChannel::Outcome::Done ? std::optional(done) : std::nullopt;
}

std::size_t FiberSelect::block(SpinLock* const* locks, std::size_t count) {
  Sleeper sleeper(here_, cases_.size());
  boost::container::small_vector<Waiter, kFewArms> waiters(cases_.size());
  for (std::size_t arm = 0; arm < cases_.size(); ++arm) {
    if (FiberChannel* const channel = fiber_channel_of(cases_[arm])) {
      waiters[arm] = {.sleeper = &sleeper, .arm = arm, .any_value = &cases_[arm].any_value};
      channel->waiting(cases_[arm].direction).push_back(waiters[arm]);
    }
  }
  sleeper.sleep(locks, count);
  const std::size_t done = sleeper.arm();
  for (std::size_t arm = 0; arm < cases_.size(); ++arm) {
    FiberChannel* const channel = fiber_channel_of(cases_[arm]);
    if (channel != nullptr && arm != done) {
      const SpinGuard guard(channel->lock_);
      channel->waiting(cases_[arm].direction).remove(waiters[arm]);
    }
  }
  if (sleeper.because_closed && cases_[done].direction == SelectCase::Direction::Send) {
    panic_of_send();
  }
  return done;
}

}  // namespace watchlab::runtime
