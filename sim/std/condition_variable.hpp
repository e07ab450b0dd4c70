#pragma once

#include <condition_variable>
#include <memory>

#include "sim/std/mutex.hpp"
#include "sim/std/thread.hpp"

namespace watchlab::stdx {

/// As std::condition_variable. In a world no wake-up is spurious, which is one of the behaviours
/// that the standard allows; which waiter a notification wakes is a choice.
class condition_variable {
 public:
  condition_variable(Location made = Location::current()) : part_(made) {}  // NOLINT
  condition_variable(const condition_variable&) = delete;
  condition_variable& operator=(const condition_variable&) = delete;

  void wait(unique_lock<mutex>& lock, Location here = Location::current()) {
    if (sim::World* const world = world_here()) {
      part_.wait(*world, lock.mutex()->part_, nullopt, here);
    } else {
      Held held(lock);
      real_.wait(held.lock);
    }
  }
  template <typename Predicate>
  void wait(unique_lock<mutex>& lock, Predicate predicate, Location here = Location::current()) {
    while (!predicate()) {
      wait(lock, here);
    }
  }
  template <typename Clock, typename Span>
  cv_status wait_until(unique_lock<mutex>& lock, const chrono::time_point<Clock, Span>& moment,
                       Location here = Location::current()) {
    if (sim::World* const world = world_here()) {
      return status(part_.wait(*world, lock.mutex()->part_, moment_of(*world, moment), here));
    }
    Held held(lock);
    return real_.wait_until(held.lock, moment);
  }
  template <typename Clock, typename Span, typename Predicate>
  bool wait_until(unique_lock<mutex>& lock, const chrono::time_point<Clock, Span>& moment,
                  Predicate predicate, Location here = Location::current()) {
    while (!predicate()) {
      if (wait_until(lock, moment, here) == cv_status::timeout) {
        return predicate();
      }
    }
    return true;
  }
  template <typename Rep, typename Period>
  cv_status wait_for(unique_lock<mutex>& lock, const chrono::duration<Rep, Period>& delay,
                     Location here = Location::current()) {
    if (sim::World* const world = world_here()) {
      return status(part_.wait(*world, lock.mutex()->part_, moment_after(*world, delay), here));
    }
    Held held(lock);
    return real_.wait_for(held.lock, delay);
  }
  template <typename Rep, typename Period, typename Predicate>
  bool wait_for(unique_lock<mutex>& lock, const chrono::duration<Rep, Period>& delay,
                Predicate predicate, Location here = Location::current()) {
    return wait_until(lock, chrono::steady_clock::now() + delay, ::std::move(predicate), here);
  }
  void notify_one(Location here = Location::current()) noexcept {
    if (sim::World* const world = world_here()) {
      part_.notify(*world, false, here);
    } else {
      real_.notify_one();
    }
  }
  void notify_all(Location here = Location::current()) noexcept {
    if (sim::World* const world = world_here()) {
      part_.notify(*world, true, here);
    } else {
      real_.notify_all();
    }
  }

 private:
  /// The lock as the standard's class wants it, which does not keep it.
  struct Held {
    explicit Held(unique_lock<mutex>& held) : lock(held.mutex()->real_, adopt_lock) {}
    ~Held() { lock.release(); }
    ::std::unique_lock<::std::mutex> lock;
  };

  [[nodiscard]] static cv_status status(bool notified) {
    return notified ? cv_status::no_timeout : cv_status::timeout;
  }

  ConditionPart part_;
  ::std::condition_variable real_;
};

/// As std::condition_variable_any: waits with whatever can be locked. A mutex of its own keeps a
/// notification from coming between the unlock and the wait.
class condition_variable_any {
 public:
  condition_variable_any(Location made = Location::current())  // NOLINT
      : mutex_(::std::make_shared<mutex>(made)), changed_(made) {}
  condition_variable_any(const condition_variable_any&) = delete;
  condition_variable_any& operator=(const condition_variable_any&) = delete;

  template <typename Lock>
  void wait(Lock& lock, Location here = Location::current()) {
    Unlocked unlocked(lock, *this, here);
    changed_.wait(unlocked.inner, here);
  }
  template <typename Lock, typename Predicate>
    requires ::std::predicate<Predicate>
  void wait(Lock& lock, Predicate predicate, Location here = Location::current()) {
    while (!predicate()) {
      wait(lock, here);
    }
  }
  template <typename Lock, typename Clock, typename Span>
  cv_status wait_until(Lock& lock, const chrono::time_point<Clock, Span>& moment,
                       Location here = Location::current()) {
    Unlocked unlocked(lock, *this, here);
    return changed_.wait_until(unlocked.inner, moment, here);
  }
  template <typename Lock, typename Clock, typename Span, typename Predicate>
    requires ::std::predicate<Predicate>
  bool wait_until(Lock& lock, const chrono::time_point<Clock, Span>& moment, Predicate predicate,
                  Location here = Location::current()) {
    while (!predicate()) {
      if (wait_until(lock, moment, here) == cv_status::timeout) {
        return predicate();
      }
    }
    return true;
  }
  template <typename Lock, typename Rep, typename Period>
  cv_status wait_for(Lock& lock, const chrono::duration<Rep, Period>& delay,
                     Location here = Location::current()) {
    return wait_until(lock, chrono::steady_clock::now() + delay, here);
  }
  template <typename Lock, typename Rep, typename Period, typename Predicate>
    requires ::std::predicate<Predicate>
  bool wait_for(Lock& lock, const chrono::duration<Rep, Period>& delay, Predicate predicate,
                Location here = Location::current()) {
    return wait_until(lock, chrono::steady_clock::now() + delay, ::std::move(predicate), here);
  }
  /// Ends with what the predicate says when a stop is requested.
  template <typename Lock, typename Predicate>
  bool wait(Lock& lock, stop_token token, Predicate predicate,
            Location here = Location::current()) {
    const stop_callback wake(token, [this] { notify_all(); });
    while (!predicate()) {
      Unlocked unlocked(lock, *this, here);
      if (token.stop_requested()) {
        break;
      }
      changed_.wait(unlocked.inner, here);
    }
    return predicate();
  }
  void notify_one(Location here = Location::current()) {
    const lock_guard<mutex> inner(*mutex_, here);
    changed_.notify_one(here);
  }
  void notify_all(Location here = Location::current()) {
    const lock_guard<mutex> inner(*mutex_, here);
    changed_.notify_all(here);
  }

 private:
  /// The caller's lock is given up while it lives, and its own mutex held.
  template <typename Lock>
  struct Unlocked {
    Unlocked(Lock& given, condition_variable_any& condition, Location here)
        : kept(condition.mutex_), lock(given), inner(*kept, here) {
      lock.unlock();
    }
    ~Unlocked() noexcept(false) {
      inner.unlock();
      lock.lock();
    }
    ::std::shared_ptr<mutex> kept;  ///< the condition may go while the last one returns
    Lock& lock;
    unique_lock<mutex> inner;
  };

  ::std::shared_ptr<mutex> mutex_;
  condition_variable changed_;
};

}  // namespace watchlab::stdx
