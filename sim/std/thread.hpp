#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <thread>
#include <tuple>
#include <vector>
#if __has_include(<stop_token>)  // libc++ 16 has none
#include <stop_token>
#endif

#include "sim/std/atomic.hpp"
#include "sim/std/chrono.hpp"
#include "sim/std/mutex.hpp"

namespace watchlab::stdx {

/// As std::thread; in a world it is a task. To destroy one that can be joined is a finding there.
/// `hardware_concurrency` is 2 in a world, on every machine.
class thread {
 public:
  class id {
   public:
    constexpr id() noexcept = default;
    friend auto operator<=>(const id&, const id&) = default;
    friend ostream& operator<<(ostream& out, const id& of) { return out << of.number_; }

   private:
    friend class thread;
    friend struct ::std::hash<id>;
    friend id id_here();
    constexpr explicit id(uint64_t number) noexcept : number_(number) {}
    uint64_t number_ = 0;
  };
  using native_handle_type = ::std::thread::native_handle_type;

  thread() noexcept = default;
  template <typename Function, typename... Arguments>
    requires(!::std::is_same_v<::std::remove_cvref_t<Function>, thread>)
  explicit thread(Function&& function, Arguments&&... arguments) {
    sim::World* const world = world_here();
    if (world == nullptr) {
      real_ = ::std::thread(::std::forward<Function>(function),
                            ::std::forward<Arguments>(arguments)...);
      return;
    }
    // A task's body can be copied, what threads are given need not.
    using Call = tuple<decay_t<Function>, decay_t<Arguments>...>;
    auto call = ::std::make_shared<Call>(::std::forward<Function>(function),
                                         ::std::forward<Arguments>(arguments)...);
    task_ = spawn(
        *world,
        [call = ::std::move(call)]() mutable {
          const auto mine = ::std::move(call);  // goes with the task, not with its record
          ::std::apply([](auto&&... part) { ::std::invoke(::std::move(part)...); }, *mine);
        },
        Location());
  }
  thread(thread&& other) noexcept = default;
  thread& operator=(thread&& other) noexcept {
    let_go();
    real_ = ::std::move(other.real_);
    task_ = ::std::move(other.task_);
    return *this;
  }
  ~thread() { let_go(); }

  [[nodiscard]] bool joinable() const noexcept { return task_ != nullptr || real_.joinable(); }
  void join(Location here = Location::current());
  void detach();
  void swap(thread& other) noexcept {
    ::std::swap(real_, other.real_);
    ::std::swap(task_, other.task_);
  }
  [[nodiscard]] id get_id() const noexcept;
  native_handle_type native_handle() { return real_.native_handle(); }
  [[nodiscard]] static unsigned hardware_concurrency() noexcept;

 private:
  /// As `std::terminate`, for a thread that no one has joined.
  void let_go() noexcept;

  ::std::thread real_;
  ::std::shared_ptr<runtime::TaskBackend> task_;
};

namespace this_thread {

[[nodiscard]] thread::id get_id() noexcept;

}  // namespace this_thread

/// What a stop source, its tokens and its callbacks share; made of the classes of this folder, so
/// it is the same in a world and outside.
class StopState {
 public:
  struct Callback {
    function<void()> call;
    bool called = false;    ///< or being called
    bool finished = false;  ///< and it is over
  };

  [[nodiscard]] bool stop_requested(Location here) const {
    return stopped_.load(memory_order_acquire, here);
  }
  /// False when there was one before. Calls all callbacks, on the caller's thread.
  bool request_stop(Location here);
  /// Calls at once when a stop was requested.
  void add(const ::std::shared_ptr<Callback>& callback, Location here);
  /// When it comes back the callback is not running, unless on the caller's own thread.
  void remove(const ::std::shared_ptr<Callback>& callback, Location here);

 private:
  atomic<bool> stopped_{false};
  mutex mutex_;
  vector<::std::shared_ptr<Callback>> callbacks_;
  thread::id requester_;
  atomic<unsigned> finished_{0};
};

struct nostopstate_t {
  explicit nostopstate_t() = default;
};
inline constexpr nostopstate_t nostopstate{};

/// As std::stop_token, std::stop_source and std::stop_callback.
class stop_token {
 public:
  stop_token() noexcept = default;
  [[nodiscard]] bool stop_possible() const noexcept { return state_ != nullptr; }
  [[nodiscard]] bool stop_requested(Location here = Location::current()) const {
    return state_ != nullptr && state_->stop_requested(here);
  }
  friend bool operator==(const stop_token&, const stop_token&) = default;

 private:
  friend class stop_source;
  template <typename Callback>
  friend class stop_callback;
  explicit stop_token(::std::shared_ptr<StopState> state) : state_(::std::move(state)) {}

  ::std::shared_ptr<StopState> state_;
};

class stop_source {
 public:
  stop_source() : state_(::std::make_shared<StopState>()) {}
  explicit stop_source(nostopstate_t) noexcept {}
  bool request_stop(Location here = Location::current()) {
    return state_ != nullptr && state_->request_stop(here);
  }
  [[nodiscard]] stop_token get_token() const noexcept { return stop_token(state_); }
  [[nodiscard]] bool stop_possible() const noexcept { return state_ != nullptr; }
  [[nodiscard]] bool stop_requested(Location here = Location::current()) const {
    return state_ != nullptr && state_->stop_requested(here);
  }

 private:
  ::std::shared_ptr<StopState> state_;
};

template <typename Callback>
class [[nodiscard]] stop_callback {
 public:
  using callback_type = Callback;

  template <typename Given>
  explicit stop_callback(const stop_token& token, Given&& given,
                         Location here = Location::current())
      : callback_(::std::forward<Given>(given)), state_(token.state_), here_(here) {
    if (state_ != nullptr) {
      entry_ = ::std::make_shared<StopState::Callback>();
      entry_->call = [this] { ::std::forward<Callback>(callback_)(); };
      state_->add(entry_, here);
    }
  }
  stop_callback(const stop_callback&) = delete;
  stop_callback& operator=(const stop_callback&) = delete;
  ~stop_callback() {
    if (state_ != nullptr) {
      state_->remove(entry_, here_);
    }
  }

 private:
  Callback callback_;
  ::std::shared_ptr<StopState> state_;
  ::std::shared_ptr<StopState::Callback> entry_;
  Location here_;
};
template <typename Callback>
stop_callback(stop_token, Callback) -> stop_callback<Callback>;

/// As std::jthread.
class jthread {
 public:
  using id = thread::id;

  jthread() noexcept : source_(nostopstate) {}
  template <typename Function, typename... Arguments>
    requires(!::std::is_same_v<::std::remove_cvref_t<Function>, jthread>)
  explicit jthread(Function&& function, Arguments&&... arguments) {
    if constexpr (::std::is_invocable_v<decay_t<Function>, stop_token, decay_t<Arguments>...>) {
      thread_ = thread(::std::forward<Function>(function), source_.get_token(),
                       ::std::forward<Arguments>(arguments)...);
    } else {
      thread_ = thread(::std::forward<Function>(function), ::std::forward<Arguments>(arguments)...);
    }
  }
  jthread(jthread&&) noexcept = default;
  jthread& operator=(jthread&& other) noexcept {
    if (this != &other) {
      stop_and_join();
      thread_ = ::std::move(other.thread_);
      source_ = ::std::move(other.source_);
    }
    return *this;
  }
  ~jthread() { stop_and_join(); }

  [[nodiscard]] bool joinable() const noexcept { return thread_.joinable(); }
  void join(Location here = Location::current()) { thread_.join(here); }
  void detach() { thread_.detach(); }
  void swap(jthread& other) noexcept {
    thread_.swap(other.thread_);
    ::std::swap(source_, other.source_);
  }
  [[nodiscard]] id get_id() const noexcept { return thread_.get_id(); }
  [[nodiscard]] stop_source get_stop_source() const noexcept { return source_; }
  [[nodiscard]] stop_token get_stop_token() const noexcept { return source_.get_token(); }
  bool request_stop(Location here = Location::current()) { return source_.request_stop(here); }
  [[nodiscard]] static unsigned hardware_concurrency() noexcept {
    return thread::hardware_concurrency();
  }

 private:
  void stop_and_join() {
    if (joinable()) {
      source_.request_stop();
      thread_.join();
    }
  }

  stop_source source_;
  thread thread_;
};

}  // namespace watchlab::stdx

/// @cond A specialization has no page: its template is the standard's.
template <>
struct std::hash<watchlab::stdx::thread::id> {
  std::size_t operator()(const watchlab::stdx::thread::id& id) const noexcept {
    return std::hash<std::uint64_t>()(id.number_);
  }
};
/// @endcond
