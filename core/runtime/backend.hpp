#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/runtime/any_value.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/interface.hpp"
#include "core/runtime/time.hpp"

/// What an implementation of `Runtime` supplies for each primitive. Code under test never sees this
/// file: it uses `Mutex`, `CondVar`, `Channel` and so on, which hold one of these.
///
/// Every function here is one visible operation: an implementation that explores interleavings
/// decides who runs next before it, once. All of them may be called from any task of the runtime
/// that made the object, and from no other thread.
namespace watchlab::runtime {

/// Base of backends, owned by the primitive that wraps it. A runtime that must outlive its
/// primitives' last users overrides `retire`, which ends a backend's life; the default deletes.
class RetirableBackend : public Interface {
 public:
  virtual void retire() noexcept { delete this; }
};

/// Lets go of a backend in the way that its runtime wants; the deleter of `Owned`.
struct Retire {
  void operator()(RetirableBackend* backend) const noexcept { backend->retire(); }
};

template <typename T>
using Owned = std::unique_ptr<T, Retire>;

/// Of `Mutex`; see there for what it promises. Unlocking an unlocked one panics.
class MutexBackend : public RetirableBackend {
 public:
  /// Says that it keeps the body of a `Once`, for reports.
  virtual void serve_as_once() {}
  virtual void lock(Location here) = 0;
  [[nodiscard]] virtual bool try_lock(Location here) = 0;
  virtual void unlock(Location here) = 0;
  /// `unlock` for the destructor of a guard, which must not throw; `locked` is where the guard
  /// locked. What would be a panic is a finding in a simulated world, and elsewhere ends the
  /// process.
  virtual void unlock_guard(Location locked) noexcept;
  /// `lock` for a guard: no other task will unlock it.
  virtual void lock_guard(Location here);
};

/// A readers-writer lock with Go's precedence: a new reader waits behind a pending writer, and the
/// readers who were already waiting when a writer leaves go before the next writer.
class SharedMutexBackend : public RetirableBackend {
 public:
  virtual void lock(Location here) = 0;
  virtual void unlock(Location here) = 0;
  virtual void lock_shared(Location here) = 0;
  virtual void unlock_shared(Location here) = 0;
  /// The same for the destructors of guards; see `MutexBackend::unlock_guard`.
  virtual void unlock_guard(Location locked) noexcept;
  virtual void unlock_shared_guard(Location locked) noexcept;
};

/// A lock that a task holds: a mutex, or a readers-writer lock for writing or for reading. What a
/// wait for a condition gives up and takes again.
class HeldLock {
 public:
  enum class Side : std::uint8_t { Write, Read };

  HeldLock(MutexBackend& mutex) : mutex_(&mutex) {}  // NOLINT: a mutex has but one way to be held
  HeldLock(SharedMutexBackend& shared, Side side) : shared_(&shared), side_(side) {}

  void lock(Location here) const {
    if (mutex_ != nullptr) {
      mutex_->lock(here);
    } else if (side_ == Side::Write) {
      shared_->lock(here);
    } else {
      shared_->lock_shared(here);
    }
  }
  void unlock(Location here) const {
    if (mutex_ != nullptr) {
      mutex_->unlock(here);
    } else if (side_ == Side::Write) {
      shared_->unlock(here);
    } else {
      shared_->unlock_shared(here);
    }
  }

  /// Null for a readers-writer lock.
  [[nodiscard]] MutexBackend* mutex() const { return mutex_; }
  /// Null for a mutex.
  [[nodiscard]] SharedMutexBackend* shared() const { return shared_; }
  [[nodiscard]] Side side() const { return side_; }

 private:
  MutexBackend* mutex_ = nullptr;
  SharedMutexBackend* shared_ = nullptr;
  Side side_ = Side::Write;
};

/// Of `CondVar`. Its waits take any lock of the same runtime. No spurious wake-ups.
class CondVarBackend : public RetirableBackend {
 public:
  /// Releases the lock and waits in one step, then takes the lock again. With a deadline: false
  /// when the deadline passed before a notification came.
  virtual bool wait(const HeldLock& held, const std::optional<TimePoint>& deadline,
                    Location here) = 0;
  virtual void notify_one(Location here) = 0;
  virtual void notify_all(Location here) = 0;
};

/// Of `Channel`. Sending and receiving are a `Runtime::select` with one arm.
class ChannelBackend : public Interface {
 public:
  /// Closes the channel. Panics when it is closed already.
  virtual void close(Location here) = 0;
  /// Values in the buffer now.
  [[nodiscard]] virtual std::size_t size(Location here) = 0;
};

/// One arm of a select. A null channel is never ready.
struct SelectCase {
  enum class Direction : std::uint8_t { Send, Receive };

  Direction direction = Direction::Receive;
  ChannelBackend* channel = nullptr;
  AnyValue any_value{};  ///< in for a send, out for a receive; null out = closed
};

/// Of `Timer` and `Ticker`: puts moments into the channel that it was made with.
class TimerBackend : public RetirableBackend {
 public:
  /// True when this call kept the timer from firing.
  virtual bool stop(Location here) = 0;
  /// Arms the timer anew. True when it had been armed and not yet fired.
  virtual bool reset(Duration delay, Location here) = 0;
};

/// Counts to zero; waiters continue when it gets there. Panics when it would go below.
class WaitGroupBackend : public RetirableBackend {
 public:
  virtual void add(std::ptrdiff_t delta, Location here) = 0;
  virtual void wait(Location here) = 0;
};

enum class AccessKind : std::uint8_t { Read, Write, ReadWrite };

/// A place in memory that several tasks share.
class CellBackend : public RetirableBackend {
 public:
  /// An atomic access: a visible operation; the caller touches the memory right after it.
  virtual void atomic_access(AccessKind kind, Location here) = 0;
  /// The same for an update that may leave the value as it is; `changes`: it will not, as the value
  /// is now. `end_update` says what came of it, right after the memory was touched.
  virtual void begin_update(bool /*changes*/, Location here) {
    atomic_access(AccessKind::ReadWrite, here);
  }
  virtual void end_update(bool /*changed*/) {}
  /// A plain access: never a decision, only evidence for the race checker.
  virtual void plain_access(AccessKind kind, Location here) = 0;
};

/// Of `Task`: what is known of a task from outside, also after its end.
class TaskBackend : public Interface {
 public:
  /// Waits until the task has ended.
  virtual void join(Location here) = 0;
  /// Whether the task has ended already. A visible operation.
  [[nodiscard]] virtual bool done(Location here) = 0;
};

}  // namespace watchlab::runtime
