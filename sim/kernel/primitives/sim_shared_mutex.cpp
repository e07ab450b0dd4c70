#include "sim/kernel/primitives/sim_shared_mutex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::sim {

void SimSharedMutex::lock(runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    return;
  }
  SimTask& me = scheduler_.current();
  scheduler_.publish(OperationKind::WriteLock, this, here);
  writers_.push_back(&me);
  if (turn_taken_) {
    scheduler_.disable(me);
  }
  scheduler_.decide();
  if (scheduler_.stopping()) {
    return;
  }
  runtime::ensure(!turn_taken_ && writer_ == nullptr, "a writer takes the turn of another");
  writers_.erase(std::find(writers_.begin(), writers_.end(), &me));
  for (SimTask* const other : writers_) {
    scheduler_.disable(*other);
  }
  turn_taken_ = true;
  writer_ = &me;
  if (!readers_.empty()) {
    scheduler_.publish(OperationKind::WriteGranted, this, here);
    scheduler_.disable(me);
    scheduler_.decide();
    if (scheduler_.stopping()) {
      return;
    }
  }
  runtime::ensure(readers_.empty() && writer_ == &me && !writing_,
                  "a writer enters while another task is inside");
  scheduler_.acquire(written_);
  scheduler_.acquire(read_);
  writing_ = true;
}

void SimSharedMutex::unlock(runtime::Location here) {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::WriteUnlock, this, here)) {
    return;
  }
  if (!writing_) {
    throw runtime::Panic(fmt::format("unlock of {}, which is not locked, at {}{}", describe(),
                                     place_text(here), foreign_unlock_.describe()));
  }
  leave_as_writer(here);
}

void SimSharedMutex::unlock_guard(runtime::Location locked) noexcept {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::WriteUnlock, this, locked)) {
    return;
  }
  if (writing_) {
    leave_as_writer(locked);
  } else {
    foreign_unlock_.report_guard(scheduler_, *this, locked);
  }
}

void SimSharedMutex::leave_as_writer(runtime::Location here) {
  if (writer_ != &scheduler_.current()) {
    foreign_unlock_.note(scheduler_, here);
  }
  runtime::ensure(turn_taken_ && readers_.empty(), "a writer leaves and readers are inside");
  scheduler_.release(written_);
  writing_ = turn_taken_ = false;
  writer_ = nullptr;
  for (SimTask* const reader : waiting_readers_) {
    readers_.push_back(reader);
    scheduler_.enable(*reader);
  }
  waiting_readers_.clear();
  for (SimTask* const other : writers_) {
    scheduler_.enable(*other);
  }
}

void SimSharedMutex::lock_shared(runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    return;
  }
  SimTask& me = scheduler_.current();
  scheduler_.step(OperationKind::ReadLock, this, here);
  if (scheduler_.stopping()) {
    return;
  }
  if (!turn_taken_) {
    runtime::ensure(!writing_, "a reader enters while a writer is inside");
    readers_.push_back(&me);
    scheduler_.acquire(written_);
    return;
  }
  waiting_readers_.push_back(&me);
  scheduler_.publish(OperationKind::ReadGranted, this, here);
  scheduler_.disable(me);
  scheduler_.decide();
  if (scheduler_.stopping()) {
    return;
  }
  runtime::ensure(!writing_, "a reader enters while a writer is inside");
  scheduler_.acquire(written_);
}

void SimSharedMutex::unlock_shared(runtime::Location here) {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::ReadUnlock, this, here)) {
    return;
  }
  if (readers_.empty()) {
    throw runtime::Panic(fmt::format("read-unlock of {}, which no reader holds, at {}{}",
                                     describe(), place_text(here), foreign_unlock_.describe()));
  }
  leave_as_reader(here);
}

void SimSharedMutex::unlock_shared_guard(runtime::Location locked) noexcept {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::ReadUnlock, this, locked)) {
    return;
  }
  if (!readers_.empty()) {
    leave_as_reader(locked);
  } else {
    foreign_unlock_.report_guard(scheduler_, *this, locked);
  }
}

void SimSharedMutex::leave_as_reader(runtime::Location here) {
  runtime::ensure(!writing_, "a reader leaves and a writer is inside");
  scheduler_.release(read_);
  // Go counts readers and does not know them: one task may leave in the name of another.
  auto mine = std::find(readers_.begin(), readers_.end(), &scheduler_.current());
  if (mine == readers_.end()) {
    foreign_unlock_.note(scheduler_, here);
    mine = readers_.begin();
  }
  readers_.erase(mine);
  if (readers_.empty() && writer_ != nullptr && !writing_) {
    scheduler_.enable(*writer_);
  }
}

void SimSharedMutex::retire() noexcept {
  const Quiet quiet;
  std::unique_ptr<SimObject> self(this);
  if ((writing_ || !readers_.empty()) && !scheduler_.stopping() && !scheduler_.unwinding()) {
    notify_destroyed();
  }
  const bool awaited = !writers_.empty() || !waiting_readers_.empty() || writer_ != nullptr;
  if (awaited || scheduler_.root_ended()) {
    scheduler_.retire(std::move(self));
  }
}

void SimSharedMutex::notify_destroyed() {
  const SimTask& holder = writing_ ? *writer_ : *readers_.front();
  scheduler_.fail(
      "violation",
      fmt::format("{} is destroyed while it is locked, which the {} {} holds, by task {}",
                  describe(), writing_ ? "writer" : "reader", holder.identity().path(),
                  scheduler_.current().identity().path()));
}

std::vector<const SimTask*> SimSharedMutex::releasers(const SimTask& task) const {
  if (writer_ != nullptr && writer_ != &task) {
    return {writer_};
  }
  return readers_;
}

std::string SimSharedMutex::blocked_because(const SimTask& task) const {
  if (writer_ != nullptr && writer_ != &task) {
    return fmt::format("behind the writer {}", writer_->identity().path());
  }
  if (!readers_.empty()) {
    return fmt::format("which the reader {} holds", readers_.front()->identity().path());
  }
  return "";
}

}  // namespace watchlab::sim
