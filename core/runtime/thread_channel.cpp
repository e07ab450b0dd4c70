#include "core/runtime/thread_channel.hpp"

#include <algorithm>
#include <utility>

#include "core/runtime/ensure.hpp"
#include "core/runtime/thread_parking.hpp"

namespace watchlab::runtime {

void ThreadChannel::close(Location) {
  const std::lock_guard lock(mutex_);
  if (closed_) {
    throw Panic("close of a closed channel");
  }
  closed_ = true;
  for (const std::list<Waiting>* queue : {&receivers_, &senders_}) {
    for (const Waiting& waiting : *queue) {
      if (waiting.parking->claim()) {
        waiting.parking->wake(waiting.arm, true);
      }
    }
  }
}

std::size_t ThreadChannel::size(Location) {
  const std::lock_guard lock(mutex_);
  return buffer_.size();
}

void ThreadChannel::offer(AnyValue any_value) {
  const std::lock_guard lock(mutex_);
  if (!closed_) {
    send(any_value);
  }
}

bool ThreadChannel::ready(SelectCase::Direction direction) const {
  const bool sends = direction == SelectCase::Direction::Send;
  if (closed_ || (sends ? buffer_.size() < capacity_ : !buffer_.empty())) {
    return true;
  }
  const std::list<Waiting>& counterparts = sends ? receivers_ : senders_;
  return std::any_of(counterparts.begin(), counterparts.end(),
                     [](const Waiting& waiting) { return !waiting.parking->is_claimed(); });
}

bool ThreadChannel::send(AnyValue& any_value) {
  if (closed_) {
    throw Panic("send on a closed channel");
  }
  for (const Waiting& receiver : receivers_) {
    if (receiver.parking->claim()) {
      receiver.parking->any_value(receiver.arm) = std::move(any_value);
      receiver.parking->wake(receiver.arm, false);
      return true;
    }
  }
  if (buffer_.size() < capacity_) {
    buffer_.push_back(std::move(any_value));
    return true;
  }
  return false;
}

bool ThreadChannel::receive(AnyValue& any_value) {
  const bool from_buffer = !buffer_.empty();
  if (from_buffer) {
    any_value = std::move(buffer_.front());
    buffer_.pop_front();
  } else if (closed_) {
    any_value.reset();
    return true;
  }
  for (const Waiting& sender : senders_) {
    if (!closed_ && sender.parking->claim()) {
      AnyValue& sent = sender.parking->any_value(sender.arm);
      if (from_buffer) {
        buffer_.push_back(std::move(sent));
      } else {
        any_value = std::move(sent);
      }
      sender.parking->wake(sender.arm, false);
      return true;
    }
  }
  return from_buffer;
}

std::list<ThreadChannel::Waiting>& ThreadChannel::waiting(SelectCase::Direction direction) {
  return direction == SelectCase::Direction::Send ? senders_ : receivers_;
}

}  // namespace watchlab::runtime
