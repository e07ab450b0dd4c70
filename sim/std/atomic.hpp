#pragma once

#include <atomic>
#include <concepts>
#include <cstring>
#include <span>
#include <type_traits>

#include "sim/std/world_parts.hpp"

namespace watchlab::stdx {

/// As std::atomic. In a world every access is one operation and reads the newest value, unless the
/// memory of the world is weak (`sim::Memory`): then it may read every value that its order allows,
/// and a weak exchange may fail without a cause. In either case a plain access that only a relaxed
/// atomic orders is a data race. A task that finds the same again and again waits until it is
/// written; that it goes on instead, and gives up, is a choice: see `sim::Spinning`.
///
/// Operators have no room for the caller's line; reports name the object alone.
template <typename T>
class atomic {
 public:
  using value_type = T;
  using difference_type =
      ::std::conditional_t<::std::is_pointer_v<T>, ptrdiff_t, ::std::remove_volatile_t<T>>;
  static constexpr bool is_always_lock_free = ::std::atomic<T>::is_always_lock_free;

  constexpr atomic(Location made = Location::current()) noexcept  // NOLINT
    requires ::std::default_initializable<T>
      : part_(CellPart::Of::Atomic, made), real_(T()) {}
  constexpr atomic(T value, Location made = Location::current()) noexcept  // NOLINT
      : part_(CellPart::Of::Atomic, made), real_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  [[nodiscard]] bool is_lock_free() const noexcept { return real_.is_lock_free(); }

  T load(memory_order order = memory_order_seq_cst, Location here = Location::current()) const {
    sim::World* const world = world_here();
    const Access begun = begin(world, Kind::Read, true, here);
    T value = real_.load(order);
    if (begun == Access::Newest) {
      part_.end({*world, here, order}, Kind::Read, false);
    } else if (begun == Access::Weak) [[unlikely]] {
      part_.weak_load({*world, here, order}, bytes(value));
    }
    return value;
  }
  void store(T value, memory_order order = memory_order_seq_cst,
             Location here = Location::current()) {
    sim::World* const world = world_here();
    const Access begun = begin(world, Kind::Write, false, here);
    if (begun == Access::Weak) [[unlikely]] {
      const T stored = value;
      value = real_.load(memory_order_relaxed);
      part_.weak_store({*world, here, order}, bytes(stored), bytes(value));
    }
    real_.store(value, order);
    if (begun == Access::Newest) {
      part_.end({*world, here, order}, Kind::Write, true);
    }
  }
  T exchange(T value, memory_order order = memory_order_seq_cst,
             Location here = Location::current()) {
    return update(
        order, here, [&] { return real_.exchange(value, order); },
        [&](const T& now) { return !is_same(now, value); });
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order success, memory_order failure,
                               Location here = Location::current()) {
    return exchange_if(expected, desired, {success, failure, false}, here);
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order order = memory_order_seq_cst,
                               Location here = Location::current()) {
    return compare_exchange_strong(expected, desired, order, when_failed(order), here);
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order success, memory_order failure,
                             Location here = Location::current()) {
    return exchange_if(expected, desired, {success, failure, true}, here);
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order order = memory_order_seq_cst,
                             Location here = Location::current()) {
    return compare_exchange_weak(expected, desired, order, when_failed(order), here);
  }

  T fetch_add(difference_type delta, memory_order order = memory_order_seq_cst,
              Location here = Location::current()) {
    return update(
        order, here, [&] { return real_.fetch_add(delta, order); },
        [&](const T&) { return delta != 0; });
  }
  T fetch_sub(difference_type delta, memory_order order = memory_order_seq_cst,
              Location here = Location::current()) {
    return update(
        order, here, [&] { return real_.fetch_sub(delta, order); },
        [&](const T&) { return delta != 0; });
  }
  T fetch_and(T bits, memory_order order = memory_order_seq_cst,
              Location here = Location::current()) {
    return update(
        order, here, [&] { return real_.fetch_and(bits, order); },
        [&](const T& now) { return (now & bits) != now; });
  }
  T fetch_or(T bits, memory_order order = memory_order_seq_cst,
             Location here = Location::current()) {
    return update(
        order, here, [&] { return real_.fetch_or(bits, order); },
        [&](const T& now) { return (now | bits) != now; });
  }
  T fetch_xor(T bits, memory_order order = memory_order_seq_cst,
              Location here = Location::current()) {
    return update(
        order, here, [&] { return real_.fetch_xor(bits, order); },
        [&](const T&) { return bits != 0; });
  }

  /// Waits until a task notifies and the value is another one.
  void wait(T old, memory_order order = memory_order_seq_cst,
            Location here = Location::current()) const {
    sim::World* const world = world_here();
    if (world == nullptr) {
      real_.wait(old, order);
      return;
    }
    // With weak memory the value that was read may be old; then nobody would notify any more.
    while (load(order, here) == old) {
      if (real_.load(memory_order_relaxed) == old) {
        part_.await_notification(*world, here);
      }
    }
  }
  void notify_one(Location here = Location::current()) {
    if (sim::World* const world = world_here()) {
      part_.notify(*world, false, here);
    } else {
      real_.notify_one();
    }
  }
  void notify_all(Location here = Location::current()) {
    if (sim::World* const world = world_here()) {
      part_.notify(*world, true, here);
    } else {
      real_.notify_all();
    }
  }

  operator T() const { return load(memory_order_seq_cst, Location()); }  // NOLINT
  T operator=(T value) {                                                 // NOLINT
    store(value, memory_order_seq_cst, Location());
    return value;
  }
  T operator++() { return added(1) + 1; }
  T operator++(int) { return added(1); }
  T operator--() { return added(-1) - 1; }
  T operator--(int) { return added(-1); }
  T operator+=(difference_type delta) { return added(delta) + delta; }
  T operator-=(difference_type delta) {
    return fetch_sub(delta, memory_order_seq_cst, Location()) - delta;
  }
  T operator&=(T bits) { return fetch_and(bits, memory_order_seq_cst, Location()) & bits; }
  T operator|=(T bits) { return fetch_or(bits, memory_order_seq_cst, Location()) | bits; }
  T operator^=(T bits) { return fetch_xor(bits, memory_order_seq_cst, Location()) ^ bits; }

 private:
  using Kind = runtime::AccessKind;
  using Access = sim::CellAccess;

  [[nodiscard]] static constexpr memory_order when_failed(memory_order order) {
    return order == memory_order_acq_rel   ? memory_order_acquire
           : order == memory_order_release ? memory_order_relaxed
                                           : order;
  }
  T added(difference_type delta) { return fetch_add(delta, memory_order_seq_cst, Location()); }
  [[nodiscard]] static bool is_same(const T& one, const T& other) {
    return ::std::memcmp(&one, &other, sizeof(T)) == 0;
  }
  [[nodiscard]] static auto bytes(T& value) {
    return ::std::as_writable_bytes(::std::span<T, 1>(&value, 1));
  }
  [[nodiscard]] static auto bytes(const T& value) {
    return ::std::as_bytes(::std::span<const T, 1>(&value, 1));
  }
  [[nodiscard]] Access begin(sim::World* world, Kind kind, bool reads, Location here) const {
    return world != nullptr ? part_.begin(*world, kind, reads, here) : Access::Outside;
  }
  /// `changes` says of a value whether the update makes another one of it.
  template <typename Touch, typename Changes>
  T update(memory_order order, Location here, Touch touch, Changes changes) {
    sim::World* const world = world_here();
    if (world == nullptr) {
      return touch();
    }
    const Access begun =
        begin(world, Kind::ReadWrite, !changes(real_.load(memory_order_relaxed)), here);
    if (begun == Access::Weak) [[unlikely]] {
      T value = real_.load(memory_order_relaxed);
      part_.weak_take({*world, here, order}, bytes(value));
      real_.store(value, memory_order_relaxed);
      touch();
      put(*world, order, here);
      return value;
    }
    const T before = touch();
    if (begun == Access::Newest) {
      part_.end({*world, here, order}, Kind::ReadWrite, changes(before));
    }
    return before;
  }
  bool exchange_if(T& expected, T desired, const sim::ExchangeOrders& orders, Location here) {
    sim::World* const world = world_here();
    if (world == nullptr) {
      return real_.compare_exchange_strong(expected, desired, orders.success, orders.failure);
    }
    T value = real_.load(memory_order_relaxed);
    const bool fails = !is_same(value, expected);
    const Access begun = begin(world, Kind::ReadWrite, fails, here);
    if (begun == Access::Weak) [[unlikely]] {
      value = real_.load(memory_order_relaxed);
      const T wanted = expected;
      const bool done =
          part_.weak_compare({*world, here, orders.success}, orders, bytes(wanted), bytes(value));
      if (done) {
        real_.store(desired, memory_order_relaxed);
        put(*world, orders.success, here);
      } else {
        expected = value;
      }
      return done;
    }
    const bool done =
        real_.compare_exchange_strong(expected, desired, orders.success, orders.failure);
    if (begun == Access::Newest) {
      part_.end({*world, here, done ? orders.success : orders.failure},
                done ? Kind::ReadWrite : Kind::Read, done);
    }
    return done;
  }
  /// With weak memory, what an update has written may not be the newest value.
  void put(sim::World& world, memory_order order, Location here) {
    T value = real_.load(memory_order_relaxed);
    part_.weak_put({world, here, order}, bytes(value));
    real_.store(value, memory_order_relaxed);
  }

  mutable CellPart part_;
  ::std::atomic<T> real_;
};

template <typename T>
atomic(T) -> atomic<T>;

/// As std::atomic_flag.
class atomic_flag {
 public:
  constexpr atomic_flag(int /*clear*/ = 0, Location made = Location::current()) noexcept  // NOLINT
      : set_(false, made) {}

  bool test_and_set(memory_order order = memory_order_seq_cst,
                    Location here = Location::current()) {
    return set_.exchange(true, order, here);
  }
  void clear(memory_order order = memory_order_seq_cst, Location here = Location::current()) {
    set_.store(false, order, here);
  }
  [[nodiscard]] bool test(memory_order order = memory_order_seq_cst,
                          Location here = Location::current()) const {
    return set_.load(order, here);
  }
  void wait(bool old, memory_order order = memory_order_seq_cst,
            Location here = Location::current()) const {
    set_.wait(old, order, here);
  }
  void notify_one(Location here = Location::current()) { set_.notify_one(here); }
  void notify_all(Location here = Location::current()) { set_.notify_all(here); }

 private:
  atomic<bool> set_;
};

/// As std::atomic_thread_fence; no operation, for it changes nothing that a task can see.
void atomic_thread_fence(memory_order order, Location here = Location::current());

/// The functions that the standard has beside the members, for the orders of the members.
template <typename T>
T atomic_load(const atomic<T>* object) {
  return object->load();
}
template <typename T>
T atomic_load_explicit(const atomic<T>* object, memory_order order) {
  return object->load(order);
}
template <typename T>
void atomic_store(atomic<T>* object, ::std::type_identity_t<T> value) {
  object->store(value);
}
template <typename T>
void atomic_store_explicit(atomic<T>* object, ::std::type_identity_t<T> value, memory_order order) {
  object->store(value, order);
}
template <typename T>
T atomic_exchange(atomic<T>* object, ::std::type_identity_t<T> value) {
  return object->exchange(value);
}
template <typename T>
T atomic_fetch_add(atomic<T>* object, typename atomic<T>::difference_type delta) {
  return object->fetch_add(delta);
}
template <typename T>
T atomic_fetch_sub(atomic<T>* object, typename atomic<T>::difference_type delta) {
  return object->fetch_sub(delta);
}

/// Plain data that several tasks use, shown to the race checker of the world: two accesses of
/// different tasks, one of them a write, that nothing orders are a data race. To read or write it
/// is no scheduling point, and outside of a world it is a plain `T`. As an element of a container
/// that is under test it shows whether what one task puts in happens before another takes it out.
template <typename T>
class watched {
 public:
  watched(Location made = Location::current()) : made_(made), part_(CellPart::Of::Data, made) {
    look(Kind::Write, made);
  }                                                      // NOLINT
  watched(T value, Location made = Location::current())  // NOLINT
      : made_(made), part_(CellPart::Of::Data, made), value_(::std::move(value)) {
    look(Kind::Write, made);
  }
  watched(const watched& other, Location here = Location::current())
      : made_(here), part_(CellPart::Of::Data, here), value_(other.get(here)) {
    look(Kind::Write, here);
  }
  watched(watched&& other, Location here = Location::current())
      : made_(here), part_(CellPart::Of::Data, here) {
    other.look(Kind::Write, here);
    look(Kind::Write, here);
    value_ = ::std::move(other.value_);
  }
  watched& operator=(const watched& other) {
    if (this != &other) {
      set(other.get());
    }
    return *this;
  }
  watched& operator=(watched&& other) {
    other.look(Kind::Write, Location::current());
    set(::std::move(other.value_));
    return *this;
  }
  watched& operator=(T value) {
    set(::std::move(value));
    return *this;
  }
  ~watched() { look(Kind::Write, made_); }  // who still reads it is too late

  [[nodiscard]] const T& get(Location here = Location::current()) const {
    look(Kind::Read, here);
    return value_;
  }
  void set(T value, Location here = Location::current()) {
    look(Kind::Write, here);
    value_ = ::std::move(value);
  }
  operator const T&() const { return get(); }  // NOLINT
  /// Reads, then writes: two accesses, as those of a plain `T`.
  watched& operator+=(const T& more)
    requires requires(T value) { value += more; }
  {
    T value = get();
    value += more;
    set(::std::move(value));
    return *this;
  }
  watched& operator-=(const T& less)
    requires requires(T value) { value -= less; }
  {
    T value = get();
    value -= less;
    set(::std::move(value));
    return *this;
  }
  watched& operator++()
    requires ::std::is_arithmetic_v<T>
  {
    return *this += T{1};
  }
  watched& operator--()
    requires ::std::is_arithmetic_v<T>
  {
    return *this -= T{1};
  }
  T operator++(int)
    requires ::std::is_arithmetic_v<T>
  {
    const T before = get();
    set(before + T{1});
    return before;
  }
  T operator--(int)
    requires ::std::is_arithmetic_v<T>
  {
    const T before = get();
    set(before - T{1});
    return before;
  }

 private:
  using Kind = runtime::AccessKind;

  void look(Kind kind, Location here) const {
    if (sim::World* const world = world_here()) {
      part_.plain(*world, kind, here);
    }
  }

  Location made_;
  mutable CellPart part_;
  T value_{};
};

// Queues of others put an atomic and a pointer into one line of the cache, and assert that.
static_assert(sizeof(atomic<void*>) <= 56);

}  // namespace watchlab::stdx
