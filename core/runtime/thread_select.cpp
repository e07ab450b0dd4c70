#include "core/runtime/thread_select.hpp"

#include <algorithm>
#include <list>
#include <memory>

#include "core/runtime/ensure.hpp"
#include "core/runtime/thread_channel.hpp"
#include "core/runtime/thread_parking.hpp"

namespace watchlab::runtime {
namespace {

ThreadChannel* channel_of(const SelectCase& arm) {
  return static_cast<ThreadChannel*>(arm.channel);
}

}  // namespace

ThreadChannelLocks::ThreadChannelLocks(std::span<const SelectCase> cases) {
  for (const SelectCase& arm : cases) {
    if (arm.channel != nullptr) {
      channels_.push_back(channel_of(arm));
    }
  }
  const auto number = [](const ThreadChannel* channel) { return channel->number_; };
  std::ranges::sort(channels_, {}, number);
  const auto repeated = std::ranges::unique(channels_, {}, number);
  channels_.erase(repeated.begin(), repeated.end());
}

void ThreadChannelLocks::lock() {
  for (ThreadChannel* channel : channels_) {
    channel->mutex_.lock();
  }
  held_ = true;
}

void ThreadChannelLocks::unlock() {
  if (!held_) {
    return;
  }
  held_ = false;
  for (ThreadChannel* channel : channels_) {
    channel->mutex_.unlock();
  }
}

/// Where a parked arm stands.
struct ThreadSelect::Place {
  std::shared_ptr<ThreadChannel> channel;
  std::list<ThreadChannel::Waiting>* queue;
  std::list<ThreadChannel::Waiting>::iterator at;
};

std::optional<std::size_t> ThreadSelect::run(bool blocking) {
  locks_.lock();
  if (const std::optional<std::size_t> arm = do_ready_arm()) {
    return arm;
  }
  return blocking ? std::optional(park()) : std::nullopt;
}

std::optional<std::size_t> ThreadSelect::do_ready_arm() {
  if (cases_.size() == 1) {
    const bool possible = cases_[0].channel != nullptr && do_arm(0);
    return possible ? std::optional<std::size_t>(0) : std::nullopt;
  }
  // A counterpart that waits at another channel too can be taken away there at any moment, so a
  // ready arm can turn out not to be; then the next one gets its chance.
  for (std::vector<std::size_t> ready = ready_arms(); !ready.empty();) {
    const std::size_t drawn = ready.size() == 1 ? 0 : random_.below(ready.size());
    const std::size_t arm = ready[drawn];
    if (do_arm(arm)) {
      return arm;
    }
    ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(drawn));
  }
  return std::nullopt;
}

std::vector<std::size_t> ThreadSelect::ready_arms() const {
  std::vector<std::size_t> ready;
  for (std::size_t arm = 0; arm < cases_.size(); ++arm) {
    const ThreadChannel* channel = channel_of(cases_[arm]);
    if (channel != nullptr && channel->ready(cases_[arm].direction)) {
      ready.push_back(arm);
    }
  }
  return ready;
}

bool ThreadSelect::do_arm(std::size_t arm) {
  SelectCase& chosen = cases_[arm];
  ThreadChannel& channel = *channel_of(chosen);
  return chosen.direction == SelectCase::Direction::Send ? channel.send(chosen.any_value)
                                                         : channel.receive(chosen.any_value);
}

std::size_t ThreadSelect::park() {
  ThreadParking parking(cases_);
  std::vector<Place> places;
  for (std::size_t arm = 0; arm < cases_.size(); ++arm) {
    if (ThreadChannel* channel = channel_of(cases_[arm])) {
      std::list<ThreadChannel::Waiting>& queue = channel->waiting(cases_[arm].direction);
      places.push_back(
          {channel->shared_from_this(), &queue, queue.insert(queue.end(), {&parking, arm})});
    }
  }
  locks_.unlock();
  parking.sleep();
  locks_.lock();
  for (const Place& place : places) {
    place.queue->erase(place.at);
  }
  // Before the places go: they may be the last to hold the channels.
  locks_.unlock();
  const std::size_t arm = parking.arm();
  if (parking.because_closed() && cases_[arm].direction == SelectCase::Direction::Send) {
    throw Panic("send on a closed channel");
  }
  return arm;
}

}  // namespace watchlab::runtime
