#pragma once

#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/runtime/recover.hpp"
#include "sim/std/atomic.hpp"
#include "sim/std/condition_variable.hpp"
#include "sim/std/mutex.hpp"
#include "sim/std/thread.hpp"

namespace watchlab::stdx {

/// What a promise and its futures share; made of the classes of this folder, so it is the same in a
/// world and outside. `T` is what is kept: a value, a pointer for a reference, or nothing.
template <typename T>
class FutureState {
 public:
  void set(optional<T> value, exception_ptr error, Location here) {
    {
      const lock_guard<mutex> lock(mutex_, here);
      if (ready_) {
        throw future_error(future_errc::promise_already_satisfied);
      }
      value_ = ::std::move(value);
      error_ = ::std::move(error);
      ready_ = true;
      announced_.store(true, memory_order_release, here);
    }
    changed_.notify_all(here);
  }
  /// As when a promise goes that has promised in vain.
  void abandon(Location here) {
    unique_lock<mutex> lock(mutex_, here);
    if (!ready_) {
      lock.unlock(here);
      set(nullopt, make_exception_ptr(future_error(future_errc::broken_promise)), here);
    }
  }
  T& get(Location here) {
    wait(here);
    if (error_ != nullptr) {
      rethrow_exception(error_);
    }
    return *value_;
  }
  void wait(Location here) {
    unique_lock<mutex> lock(mutex_, here);
    changed_.wait(
        lock, [this] { return ready_; }, here);
  }
  template <typename Moment>
  future_status wait_until(const Moment& moment, Location here) {
    sim::World* const world = world_here();
    if (world != nullptr && is_over(*world, moment_of(*world, moment))) {
      // One that polls has to be seen to change nothing, which a lock hides.
      return announced_.load(memory_order_acquire, here) ? future_status::ready
                                                         : future_status::timeout;
    }
    unique_lock<mutex> lock(mutex_, here);
    return changed_.wait_until(
               lock, moment, [this] { return ready_; }, here)
               ? future_status::ready
               : future_status::timeout;
  }

 private:
  mutex mutex_;
  condition_variable changed_;
  bool ready_ = false;
  atomic<bool> announced_{false};
  optional<T> value_;
  exception_ptr error_;
};

struct Nothing {};

/// What is kept for a `T`.
template <typename T>
using Kept = conditional_t<is_void_v<T>, Nothing,
                           conditional_t<is_reference_v<T>, remove_reference_t<T>*, T>>;

/// The parts of future and shared_future that are the same.
template <typename T>
class FutureBase {
 public:
  [[nodiscard]] bool valid() const noexcept { return state_ != nullptr; }
  void wait(Location here = Location::current()) const { state().wait(here); }
  template <typename Rep, typename Period>
  future_status wait_for(const chrono::duration<Rep, Period>& delay,
                         Location here = Location::current()) const {
    return state().wait_until(chrono::steady_clock::now() + delay, here);
  }
  template <typename Clock, typename Span>
  future_status wait_until(const chrono::time_point<Clock, Span>& moment,
                           Location here = Location::current()) const {
    return state().wait_until(moment, here);
  }

 protected:
  FutureBase() = default;
  explicit FutureBase(::std::shared_ptr<FutureState<Kept<T>>> state) : state_(::std::move(state)) {}
  [[nodiscard]] FutureState<Kept<T>>& state() const {
    if (state_ == nullptr) {
      throw future_error(future_errc::no_state);
    }
    return *state_;
  }

  ::std::shared_ptr<FutureState<Kept<T>>> state_;
};

/// As std::future.
template <typename T>
class future : public FutureBase<T> {
 public:
  future() noexcept = default;
  explicit future(::std::shared_ptr<FutureState<Kept<T>>> state)
      : FutureBase<T>(::std::move(state)) {}
  future(future&&) noexcept = default;
  future& operator=(future&&) noexcept = default;

  T get(Location here = Location::current()) {
    const auto kept = this->state_;
    Kept<T>& value = this->state().get(here);
    this->state_ = nullptr;
    if constexpr (is_reference_v<T>) {
      return static_cast<T>(*value);
    } else if constexpr (!is_void_v<T>) {
      return ::std::move(value);
    }
  }
  [[nodiscard]] shared_future<T> share() noexcept;
  /// What it waits for; for `async`.
  [[nodiscard]] ::std::shared_ptr<FutureState<Kept<T>>> kept() const { return this->state_; }
};

/// As std::shared_future.
template <typename T>
class shared_future : public FutureBase<T> {
 public:
  shared_future() noexcept = default;
  explicit shared_future(::std::shared_ptr<FutureState<Kept<T>>> state)
      : FutureBase<T>(::std::move(state)) {}

  decltype(auto) get(Location here = Location::current()) const {
    Kept<T>& value = this->state().get(here);
    if constexpr (is_reference_v<T>) {
      return static_cast<T>(*value);
    } else if constexpr (!is_void_v<T>) {
      return ::std::as_const(value);
    }
  }
};

template <typename T>
shared_future<T> future<T>::share() noexcept {
  return shared_future<T>(::std::exchange(this->state_, nullptr));
}

/// As std::promise.
template <typename T>
class promise {
 public:
  promise() : state_(::std::make_shared<FutureState<Kept<T>>>()) {}
  promise(promise&&) noexcept = default;
  promise& operator=(promise&& other) noexcept {
    promise(::std::move(other)).swap(*this);
    return *this;
  }
  ~promise() {
    if (state_ != nullptr && state_.use_count() > 1) {
      state_->abandon(Location());
    }
  }

  void swap(promise& other) noexcept {
    ::std::swap(state_, other.state_);
    ::std::swap(taken_, other.taken_);
  }
  [[nodiscard]] future<T> get_future() {
    if (::std::exchange(taken_, true)) {
      throw future_error(future_errc::future_already_retrieved);
    }
    return future<T>(state_);
  }
  template <typename Value>
    requires(!is_void_v<T>)
  void set_value(Value&& value, Location here = Location::current()) {
    if constexpr (is_reference_v<T>) {
      state_->set(::std::addressof(value), nullptr, here);
    } else {
      state_->set(optional<T>(::std::forward<Value>(value)), nullptr, here);
    }
  }
  void set_value(Location here = Location::current())
    requires is_void_v<T>
  {
    state_->set(Nothing(), nullptr, here);
  }
  void set_exception(exception_ptr error, Location here = Location::current()) {
    state_->set(nullopt, ::std::move(error), here);
  }

 private:
  ::std::shared_ptr<FutureState<Kept<T>>> state_;
  bool taken_ = false;
};

/// As std::packaged_task.
template <typename Result, typename... Arguments>
class packaged_task<Result(Arguments...)> {
 public:
  packaged_task() noexcept = default;
  template <typename Function>
    requires(!is_same_v<remove_cvref_t<Function>, packaged_task>)
  explicit packaged_task(Function&& function)
      : call_(::std::make_shared<decay_t<Function>>(::std::forward<Function>(function))),
        invoke_([](void* call, Arguments... arguments) -> Result {
          return ::std::invoke(*static_cast<decay_t<Function>*>(call),
                               ::std::forward<Arguments>(arguments)...);
        }) {}
  packaged_task(packaged_task&&) noexcept = default;
  packaged_task& operator=(packaged_task&&) noexcept = default;

  [[nodiscard]] bool valid() const noexcept { return call_ != nullptr; }
  [[nodiscard]] future<Result> get_future() { return promise_.get_future(); }
  void operator()(Arguments... arguments) {
    try {
      if constexpr (is_void_v<Result>) {
        invoke_(call_.get(), ::std::forward<Arguments>(arguments)...);
        promise_.set_value();
      } else {
        promise_.set_value(invoke_(call_.get(), ::std::forward<Arguments>(arguments)...));
      }
    } catch (const runtime::TaskKilled&) {
      throw;
    } catch (...) {
      promise_.set_exception(current_exception());
    }
  }
  void reset() { promise_ = promise<Result>(); }

 private:
  ::std::shared_ptr<void> call_;
  Result (*invoke_)(void*, Arguments...) = nullptr;
  promise<Result> promise_;
};

/// The thread of an `async`, which is joined when the last future of it goes.
template <typename T>
struct JoinedState {
  ::std::shared_ptr<FutureState<Kept<T>>> state;
  thread runs;
  ~JoinedState() {
    if (runs.joinable()) {
      runs.join();
    }
  }
};

/// As std::async with std::launch::async, always.
template <typename Function, typename... Arguments>
[[nodiscard]] auto async(launch /*policy*/, Function&& function, Arguments&&... arguments) {
  using Result = invoke_result_t<decay_t<Function>, decay_t<Arguments>...>;
  packaged_task<Result(decay_t<Arguments>...)> task(::std::forward<Function>(function));
  auto joined = ::std::make_shared<JoinedState<Result>>();
  joined->state = task.get_future().kept();
  joined->runs = thread(::std::move(task), ::std::forward<Arguments>(arguments)...);
  auto* const state = joined->state.get();
  return future<Result>(::std::shared_ptr<FutureState<Kept<Result>>>(::std::move(joined), state));
}
template <typename Function, typename... Arguments>
  requires(!is_same_v<remove_cvref_t<Function>, launch>)
[[nodiscard]] auto async(Function&& function, Arguments&&... arguments) {
  return stdx::async(launch::async, ::std::forward<Function>(function),
                     ::std::forward<Arguments>(arguments)...);
}

}  // namespace watchlab::stdx
