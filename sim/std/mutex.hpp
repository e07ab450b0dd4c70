#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <system_error>
#include <tuple>

#include "sim/std/once.hpp"
#include "sim/std/world_parts.hpp"

namespace watchlab::stdx {

/// As std::mutex. Unlocking what the task does not hold is a finding, and so is a task that waits
/// for itself. Like all classes here it may outlive a run; in each run it begins unlocked.
class mutex {
 public:
  constexpr mutex(Location made = Location::current()) noexcept : part_(made) {}  // NOLINT
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;

  void lock(Location here = Location::current()) {
    if (sim::World* const world = world_here()) {
      part_.lock(*world, here);
    } else {
      real_.lock();
    }
  }
  [[nodiscard]] bool try_lock(Location here = Location::current()) {
    sim::World* const world = world_here();
    return world != nullptr ? part_.try_lock(*world, here) : real_.try_lock();
  }
  void unlock(Location here = Location::current()) {
    if (sim::World* const world = world_here()) {
      part_.unlock(*world, here);
    } else {
      real_.unlock();
    }
  }

 private:
  friend class condition_variable;

  MutexPart part_;
  ::std::mutex real_;
};

/// As std::recursive_mutex. To take it again is no operation: no other task can see that.
class recursive_mutex {
 public:
  recursive_mutex(Location made = Location::current()) : part_(made) {}  // NOLINT
  recursive_mutex(const recursive_mutex&) = delete;
  recursive_mutex& operator=(const recursive_mutex&) = delete;

  void lock(Location here = Location::current()) {
    sim::World* const world = world_here();
    if (world == nullptr) {
      real_.lock();
    } else if (depth_ > 0 && part_.is_mine(*world)) {
      ++depth_;
    } else {
      part_.lock(*world, here);
      depth_ = 1;
    }
  }
  [[nodiscard]] bool try_lock(Location here = Location::current()) {
    sim::World* const world = world_here();
    if (world == nullptr) {
      return real_.try_lock();
    }
    if (depth_ > 0 && part_.is_mine(*world)) {
      ++depth_;
      return true;
    }
    const bool taken = part_.try_lock(*world, here);
    depth_ = taken ? 1 : depth_;
    return taken;
  }
  void unlock(Location here = Location::current()) {
    sim::World* const world = world_here();
    if (world == nullptr) {
      real_.unlock();
    } else if (is_stopping(*world)) {
      return;
    } else if (!part_.is_mine(*world) || --depth_ == 0) {
      part_.unlock(*world, here);
    }
  }

 private:
  MutexPart part_;
  ::std::recursive_mutex real_;
  int depth_ = 0;  ///< in a world; the holder's
};

/// What the mutexes have in common whose waits may end or may be shared: in a world each is a gate.
/// `Real` is the class of the standard, `kRecursive` whether its holder may take it again.
template <typename Real, bool kRecursive>
class GateMutex {
 public:
  GateMutex(Location made = Location::current())  // NOLINT
      : part_(
            kRecursive ? "recursive mutex" : "mutex", made, [this] { return ways(); },
            [this] { depth_ = readers_ = 0; }) {}
  GateMutex(const GateMutex&) = delete;
  GateMutex& operator=(const GateMutex&) = delete;

  void lock(Location here = Location::current()) {
    if (sim::World* const world = world_here()) {
      (void)take(*world, std::nullopt, here);
    } else {
      real_.lock();
    }
  }
  [[nodiscard]] bool try_lock(Location here = Location::current());
  template <typename Rep, typename Period>
  [[nodiscard]] bool try_lock_for(const chrono::duration<Rep, Period>& delay,
                                  Location here = Location::current()) {
    sim::World* const world = world_here();
    return world != nullptr ? take(*world, moment_after(*world, delay), here)
                            : real_.try_lock_for(delay);
  }
  template <typename Clock, typename Span>
  [[nodiscard]] bool try_lock_until(const chrono::time_point<Clock, Span>& moment,
                                    Location here = Location::current()) {
    sim::World* const world = world_here();
    return world != nullptr ? take(*world, moment_of(*world, moment), here)
                            : real_.try_lock_until(moment);
  }
  void unlock(Location here = Location::current());

 protected:
  [[nodiscard]] bool take(sim::World& world, std::optional<runtime::TimePoint> deadline,
                          Location here);
  /// Whether the calling task holds it already and may take it again.
  [[nodiscard]] bool takes_again(sim::World& world) {
    return kRecursive && depth_ > 0 && holder_ == number_of_task(world);
  }
  [[nodiscard]] uint8_t ways() const;

  GatePart part_;
  Real real_;
  int depth_ = 0;
  int readers_ = 0;
  uint64_t holder_ = 0;  ///< in a world
};

extern template class GateMutex<::std::timed_mutex, false>;
extern template class GateMutex<::std::recursive_timed_mutex, true>;
extern template class GateMutex<::std::shared_timed_mutex, false>;

/// As std::shared_timed_mutex. Who goes first, a reader or a writer who waits, is a choice: the
/// standard leaves it open, unlike `runtime::SharedMutex`, which is Go's.
class shared_timed_mutex : public GateMutex<::std::shared_timed_mutex, false> {
 public:
  shared_timed_mutex(Location made = Location::current()) : GateMutex(made) {}  // NOLINT

  void lock_shared(Location here = Location::current()) {
    if (sim::World* const world = world_here()) {
      (void)take_shared(*world, std::nullopt, here);
    } else {
      real_.lock_shared();
    }
  }
  [[nodiscard]] bool try_lock_shared(Location here = Location::current());
  template <typename Rep, typename Period>
  [[nodiscard]] bool try_lock_shared_for(const chrono::duration<Rep, Period>& delay,
                                         Location here = Location::current()) {
    sim::World* const world = world_here();
    return world != nullptr ? take_shared(*world, moment_after(*world, delay), here)
                            : real_.try_lock_shared_for(delay);
  }
  template <typename Clock, typename Span>
  [[nodiscard]] bool try_lock_shared_until(const chrono::time_point<Clock, Span>& moment,
                                           Location here = Location::current()) {
    sim::World* const world = world_here();
    return world != nullptr ? take_shared(*world, moment_of(*world, moment), here)
                            : real_.try_lock_shared_until(moment);
  }
  void unlock_shared(Location here = Location::current());

 private:
  [[nodiscard]] bool take_shared(sim::World& world, std::optional<runtime::TimePoint> deadline,
                                 Location here);
};

/// How a lock of either kind takes its mutex and gives it up.
/// `here` goes to those classes that
/// take it: all of this folder, and none of foreign code.
struct ExclusiveLocking {
  static void lock(auto& mutex, Location here) {
    if constexpr (requires { mutex.lock(here); }) {
      mutex.lock(here);
    } else {
      mutex.lock();
    }
  }
  static bool try_lock(auto& mutex, Location here) {
    if constexpr (requires { mutex.try_lock(here); }) {
      return mutex.try_lock(here);
    } else {
      return mutex.try_lock();
    }
  }
  static void unlock(auto& mutex, Location here) {
    if constexpr (requires { mutex.unlock(here); }) {
      mutex.unlock(here);
    } else {
      mutex.unlock();
    }
  }
  static bool try_until(auto& mutex, const auto& when) { return mutex.try_lock_until(when); }
  static bool try_for(auto& mutex, const auto& delay) { return mutex.try_lock_for(delay); }
};
struct SharedLocking {
  static void lock(auto& mutex, Location here) { mutex.lock_shared(here); }
  static bool try_lock(auto& mutex, Location here) { return mutex.try_lock_shared(here); }
  static void unlock(auto& mutex, Location here) { mutex.unlock_shared(here); }
  static bool try_until(auto& mutex, const auto& when) { return mutex.try_lock_shared_until(when); }
  static bool try_for(auto& mutex, const auto& delay) { return mutex.try_lock_shared_for(delay); }
};

/// As std::lock_guard; it keeps the line where it locked, which reports name.
template <typename Mutex>
class [[nodiscard]] lock_guard {
 public:
  using mutex_type = Mutex;

  explicit lock_guard(Mutex& mutex, Location here = Location::current())
      : mutex_(mutex), here_(here) {
    ExclusiveLocking::lock(mutex_, here_);
  }
  lock_guard(Mutex& mutex, adopt_lock_t, Location here = Location::current())
      : mutex_(mutex), here_(here) {}
  lock_guard(const lock_guard&) = delete;
  lock_guard& operator=(const lock_guard&) = delete;
  ~lock_guard() { ExclusiveLocking::unlock(mutex_, here_); }

 private:
  Mutex& mutex_;
  Location here_;
};

/// As std::scoped_lock. Of several mutexes the line is not known.
template <typename... Mutexes>
class [[nodiscard]] scoped_lock {
 public:
  explicit scoped_lock(Mutexes&... mutexes) : mutexes_(mutexes...) { ::std::lock(mutexes...); }
  explicit scoped_lock(adopt_lock_t, Mutexes&... mutexes) : mutexes_(mutexes...) {}
  scoped_lock(const scoped_lock&) = delete;
  scoped_lock& operator=(const scoped_lock&) = delete;
  ~scoped_lock() {
    ::std::apply([](auto&... mutexes) { (mutexes.unlock(), ...); }, mutexes_);
  }

 private:
  tuple<Mutexes&...> mutexes_;
};
template <>
class [[nodiscard]] scoped_lock<> {
 public:
  scoped_lock() = default;
  explicit scoped_lock(adopt_lock_t) {}
};
template <typename Mutex>
class [[nodiscard]] scoped_lock<Mutex> : public lock_guard<Mutex> {
 public:
  using lock_guard<Mutex>::lock_guard;
  explicit scoped_lock(adopt_lock_t, Mutex& mutex) : lock_guard<Mutex>(mutex, adopt_lock) {}
};
template <typename Mutex>
scoped_lock(Mutex&, Location) -> scoped_lock<Mutex>;
template <typename... Mutexes>
scoped_lock(Mutexes&...) -> scoped_lock<Mutexes...>;

/// As std::unique_lock and std::shared_lock.
template <typename Mutex, typename Way>
class [[nodiscard]] MovableLock {
 public:
  using mutex_type = Mutex;

  MovableLock() noexcept = default;
  explicit MovableLock(Mutex& mutex, Location here = Location::current())
      : mutex_(&mutex), here_(here) {
    lock(here);
  }
  MovableLock(Mutex& mutex, defer_lock_t, Location here = Location::current()) noexcept
      : mutex_(&mutex), here_(here) {}
  MovableLock(Mutex& mutex, try_to_lock_t, Location here = Location::current())
      : mutex_(&mutex), here_(here), owns_(Way::try_lock(mutex, here)) {}
  MovableLock(Mutex& mutex, adopt_lock_t, Location here = Location::current()) noexcept
      : mutex_(&mutex), here_(here), owns_(true) {}
  template <typename Clock, typename Span>
  MovableLock(Mutex& mutex, const chrono::time_point<Clock, Span>& when,
              Location here = Location::current())
      : mutex_(&mutex), here_(here), owns_(Way::try_until(mutex, when)) {}
  template <typename Rep, typename Period>
  MovableLock(Mutex& mutex, const chrono::duration<Rep, Period>& delay,
              Location here = Location::current())
      : mutex_(&mutex), here_(here), owns_(Way::try_for(mutex, delay)) {}
  MovableLock(MovableLock&& other) noexcept { swap(other); }
  MovableLock& operator=(MovableLock&& other) noexcept {
    MovableLock(std::move(other)).swap(*this);
    return *this;
  }
  ~MovableLock() {
    if (owns_) {
      Way::unlock(*mutex_, here_);
    }
  }

  void lock(Location here = Location::current()) {
    check(mutex_ != nullptr, errc::operation_not_permitted);
    check(!owns_, errc::resource_deadlock_would_occur);
    Way::lock(*mutex_, here);
    owns_ = true;
  }
  bool try_lock(Location here = Location::current()) {
    check(mutex_ != nullptr, errc::operation_not_permitted);
    check(!owns_, errc::resource_deadlock_would_occur);
    return owns_ = Way::try_lock(*mutex_, here);
  }
  bool try_lock_until(const auto& when) { return owns_ = Way::try_until(*mutex_, when); }
  bool try_lock_for(const auto& delay) { return owns_ = Way::try_for(*mutex_, delay); }
  void unlock(Location here = Location::current()) {
    check(owns_, errc::operation_not_permitted);
    owns_ = false;
    Way::unlock(*mutex_, here);
  }
  void swap(MovableLock& other) noexcept {
    ::std::swap(mutex_, other.mutex_);
    ::std::swap(here_, other.here_);
    ::std::swap(owns_, other.owns_);
  }
  Mutex* release() noexcept {
    owns_ = false;
    return ::std::exchange(mutex_, nullptr);
  }
  [[nodiscard]] bool owns_lock() const noexcept { return owns_; }
  explicit operator bool() const noexcept { return owns_; }
  [[nodiscard]] Mutex* mutex() const noexcept { return mutex_; }

 private:
  static void check(bool fact, errc otherwise) {
    if (!fact) {
      throw system_error(make_error_code(otherwise));
    }
  }

  Mutex* mutex_ = nullptr;
  Location here_;
  bool owns_ = false;
};

template <typename Mutex>
class [[nodiscard]] unique_lock : public MovableLock<Mutex, ExclusiveLocking> {
 public:
  using MovableLock<Mutex, ExclusiveLocking>::MovableLock;
};
template <typename Mutex, typename... Rest>
unique_lock(Mutex&, Rest...) -> unique_lock<Mutex>;

template <typename Mutex>
class [[nodiscard]] shared_lock : public MovableLock<Mutex, SharedLocking> {
 public:
  using MovableLock<Mutex, SharedLocking>::MovableLock;
};
template <typename Mutex, typename... Rest>
shared_lock(Mutex&, Rest...) -> shared_lock<Mutex>;

}  // namespace watchlab::stdx
