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
  await(me, false);
  scheduler_.decide();
  enter_as_writer(me, here);
}

void SimSharedMutex::await(SimTask& task, bool reads) {
  if (reads) {
    scheduler_.enable(task);
    return;
  }
  writers_.push_back(&task);
  if (turn_taken_) {
    scheduler_.disable(task);
  } else {
    scheduler_.enable(task);
  }
}

void SimSharedMutex::enter_as_writer(SimTask& me, runtime::Location here) {
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
  writer_since_step_ = scheduler_.steps();
  writer_since_ = here;
  ++me.locks_held;
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
  writer_since_step_ = scheduler_.steps();
}

void SimSharedMutex::unlock(runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.step_if_running(OperationKind::WriteUnlock, this, here)) {
    leave_as_writer(here);
  }
}

void SimSharedMutex::unlock_guard(runtime::Location locked) noexcept {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::WriteUnlock, this, locked)) {
    return;
  }
  if (writing_) {
    leave_as_writer(locked);
  } else {
    report_guard(scheduler_, *this, locked, unlocked_);
  }
}

void SimSharedMutex::leave_as_writer(runtime::Location here) {
  if (scheduler_.stopping()) {
    return;
  }
  if (!writing_) {
    throw runtime::Panic(fmt::format(
        "unlock of {}, which is not locked for writing, at {}{}", describe(), place_text(here),
        describe_hold(scheduler_, readers_, unlocked_, "the reader ")));
  }
  runtime::ensure(turn_taken_ && readers_.empty(), "a writer leaves and readers are inside");
  scheduler_.release(written_);
  SimTask& me = scheduler_.current();
  unlocked_.note(me, scheduler_.steps(), here, writer_ != &me);
  --writer_->locks_held;
  writing_ = turn_taken_ = false;
  writer_ = nullptr;
  for (Holder& reader : waiting_readers_) {
    reader.since_step = scheduler_.steps();
    readers_.push_back(reader);
    scheduler_.enable(*reader.task);
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
  enter_as_reader(me, here);
}

void SimSharedMutex::enter_as_reader(SimTask& me, runtime::Location here) {
  if (scheduler_.stopping()) {
    return;
  }
  if (!turn_taken_) {
    runtime::ensure(!writing_, "a reader enters while a writer is inside");
    ++me.locks_held;
    readers_.emplace_back(&me, scheduler_.steps(), here);
    scheduler_.acquire(written_);
    return;
  }
  ++me.locks_held;
  waiting_readers_.emplace_back(&me, scheduler_.steps(), here);
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
  if (scheduler_.step_if_running(OperationKind::ReadUnlock, this, here)) {
    leave_as_reader(here);
  }
}

void SimSharedMutex::unlock_shared_guard(runtime::Location locked) noexcept {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::ReadUnlock, this, locked)) {
    return;
  }
  if (!readers_.empty()) {
    leave_as_reader(locked);
  } else {
    report_guard(scheduler_, *this, locked, read_unlocked_);
  }
}

void SimSharedMutex::leave_as_reader(runtime::Location here) {
  if (scheduler_.stopping()) {
    return;
  }
  if (readers_.empty()) {
    const Holder writer = this->writer();
    throw runtime::Panic(fmt::format(
        "read-unlock of {}, which no reader holds, at {}{}", describe(), place_text(here),
        describe_hold(scheduler_, {&writer, writing_ ? 1U : 0U}, read_unlocked_, "the writer ")));
  }
  runtime::ensure(!writing_, "a reader leaves and a writer is inside");
  scheduler_.release(read_);
  erase_reader(scheduler_.current(), here);
  if (readers_.empty() && writer_ != nullptr && !writing_) {
    scheduler_.enable(*writer_);
  }
}

std::size_t SimSharedMutex::held_since_step(const SimTask& me, bool reads) const {
  const auto mine = std::ranges::find(readers_, &me, &Holder::task);
  return !reads ? writer_since_step_ : mine != readers_.end() ? mine->since_step : 0;
}

void SimSharedMutex::erase_reader(SimTask& me, runtime::Location here) {
  // Go counts readers and does not know them: one task may leave in the name of another.
  auto left = std::ranges::find(readers_, &me, &Holder::task);
  read_unlocked_.note(me, scheduler_.steps(), here, left == readers_.end());
  left = left != readers_.end() ? left : readers_.begin();
  --left->task->locks_held;
  readers_.erase(left);
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
  const SimTask& me = scheduler_.current();
  const Holder writer = this->writer();
  const std::string held = writing_ ? describe_holders({&writer, 1}, "the writer ", me)
                                    : describe_holders(readers_, "the reader ", me);
  scheduler_.fail("violation", fmt::format("{} is destroyed while it is locked, {}, by task {}",
                                           describe(), held, me.identity().readable_path()));
}

std::vector<const SimTask*> SimSharedMutex::releasers(const SimTask& task) const {
  if (writer_ != nullptr && (writing_ || writer_ != &task)) {
    return {writer_};
  }
  std::vector<const SimTask*> tasks;
  for (const Holder& reader : readers_) {
    tasks.push_back(reader.task);
  }
  return tasks;
}

std::string SimSharedMutex::blocked_because(const SimTask& task) const {
  if (writing_) {
    const Holder writer = this->writer();
    return describe_holders({&writer, 1}, "the writer ", task);
  }
  if (writer_ != nullptr && writer_ != &task) {
    return fmt::format(
        "behind the writer {}, which waits for the readers to leave since step {} ({})",
        writer_->identity().readable_path(), writer_since_step_, place_text(writer_since_));
  }
  return readers_.empty() ? "" : describe_holders(readers_, "the reader ", task);
}

}  // namespace watchlab::sim
