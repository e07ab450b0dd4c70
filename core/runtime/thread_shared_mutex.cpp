#include "core/runtime/thread_shared_mutex.hpp"

#include <utility>

#include "core/runtime/ensure.hpp"

namespace watchlab::runtime {

void ThreadSharedMutex::lock(Location) {
  std::unique_lock inner(inner_);
  // From here on no new reader enters; those inside finish first.
  state_.fetch_or(writer_flag);
  ++writers_waiting_;
  writers_may_enter_.wait(inner, [this] { return !writer_inside_ && state_ == writer_flag; });
  --writers_waiting_;
  writer_inside_ = true;
}

void ThreadSharedMutex::unlock(Location) {
  const std::lock_guard inner(inner_);
  if (!writer_inside_) {
    throw Panic("unlock of an unlocked shared mutex");
  }
  writer_inside_ = false;
  const std::size_t let_in = std::exchange(readers_waiting_, 0);
  state_ = let_in * one_reader + (writers_waiting_ > 0 ? writer_flag : 0);
  if (let_in > 0) {
    ++rounds_;
    readers_were_let_in_.notify_all();
  } else {
    writers_may_enter_.notify_one();
  }
}

void ThreadSharedMutex::lock_shared(Location) {
  if (!enter_without_writer()) {
    wait_for_writer_to_leave();
  }
}

void ThreadSharedMutex::unlock_shared(Location) {
  const std::uint64_t before = state_.fetch_sub(one_reader);
  if (before < one_reader) {
    state_.fetch_add(one_reader);
    throw Panic("unlock_shared of a shared mutex that no reader holds");
  }
  if (before == one_reader + writer_flag) {
    const std::lock_guard inner(inner_);
    writers_may_enter_.notify_one();
  }
}

bool ThreadSharedMutex::enter_without_writer() {
  std::uint64_t before = state_.load();
  while ((before & writer_flag) == 0) {
    if (state_.compare_exchange_weak(before, before + one_reader)) {
      return true;
    }
  }
  return false;
}

void ThreadSharedMutex::wait_for_writer_to_leave() {
  std::unique_lock inner(inner_);
  // The writer may have left before the inner mutex was ours; it sets the state under that mutex.
  if (enter_without_writer()) {
    return;
  }
  ++readers_waiting_;
  readers_were_let_in_.wait(inner, [this, round = rounds_] { return rounds_ != round; });
}

}  // namespace watchlab::runtime
