#pragma once

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/execution.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "core/runtime/channel.hpp"
#include "core/runtime/time.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {

/// Counts the work that a `WorldContext` still has to do: queued or running handlers, and armed
/// timers. Counting is not a visible operation.
class PendingWork {
 public:
  explicit PendingWork(World& world) : world_(world), idle_(world, 1, "idle") {}

  void add() { ++count_; }
  void done();
  /// Blocks the running task until there is none.
  void wait(runtime::Location here);

 private:
  World& world_;
  std::size_t count_ = 0;
  runtime::Channel<runtime::Unit> idle_;
  SyncPoint done_;
};

/// The part of an Asio timer that does not depend on Asio. Calls back once: with true at its
/// deadline, with false if it was cancelled before. While it is armed it keeps the run going.
class AsioTimerCore {
 public:
  AsioTimerCore(World& world, PendingWork& work);
  AsioTimerCore(const AsioTimerCore&) = delete;
  AsioTimerCore& operator=(const AsioTimerCore&) = delete;
  ~AsioTimerCore();

  /// Call only if no wait is in progress.
  void wait(runtime::TimePoint deadline, std::function<void(bool expired)> callback);
  void cancel();

 private:
  class Alarm;

  void complete(bool expired);

  World& world_;
  PendingWork& work_;
  std::unique_ptr<Alarm> alarm_;
};

/// A simulated world as a Boost.Asio execution context: code written for Asio (co_spawn, strands,
/// channels, Beast) runs on virtual time. Each posted handler becomes a ready task of the world, so
/// the order of handlers is a choice like any other. For the race checkers, handlers happen one
/// after the other, as in a context with one thread. Create it inside the body of a run, and call
/// `drain` before it is destroyed.
///
/// Include this only in files that need Asio, because it takes seconds to compile. Never use
/// `basic_waitable_timer` with it, which would silently start an OS thread; use `WorldTimer`.
class WorldContext : public boost::asio::execution_context {
 public:
  class executor_type;

  explicit WorldContext(World& world)
      : world_(world), maker_(world.scheduler().current_shared()), work_(world) {}
  ~WorldContext() { shutdown(); }

  [[nodiscard]] World& world() { return world_; }
  [[nodiscard]] executor_type get_executor() noexcept;

  [[nodiscard]] PendingWork& work() { return work_; }
  /// Waits until no handler is queued or running and no timer is armed. Call it from a task of the
  /// world.
  void drain(runtime::Location here = runtime::Location::current());

 private:
  friend class executor_type;

  template <typename Handler>
  void post(Handler&& handler) {
    // std::function wants a copyable body, and handlers often only move.
    auto kept = std::make_shared<std::decay_t<Handler>>(std::forward<Handler>(handler));
    post_handler([kept] { std::move (*kept)(); });
  }
  void post_handler(std::function<void()> handler);
  void in_turn(const std::function<void()>& handler);

  World& world_;
  std::shared_ptr<SimTask> maker_;  ///< handlers run in its name
  PendingWork work_;
  SyncPoint strand_;  ///< orders handlers one after the other
};

/// The executor posts every handler and runs none inline, so each is a decision of its own.
class WorldContext::executor_type {
 public:
  explicit executor_type(WorldContext& context) noexcept : context_(&context) {}

  [[nodiscard]] WorldContext& query(boost::asio::execution::context_t) const noexcept {
    return *context_;
  }
  static constexpr boost::asio::execution::blocking_t query(
      boost::asio::execution::blocking_t) noexcept {
    return boost::asio::execution::blocking.never;
  }
  [[nodiscard]] executor_type require(boost::asio::execution::blocking_t::never_t) const noexcept {
    return *this;
  }
  template <typename Handler>
  void execute(Handler&& handler) const {
    context_->post(std::forward<Handler>(handler));
  }
  friend bool operator==(const executor_type& a, const executor_type& b) noexcept {
    return a.context_ == b.context_;
  }
  friend bool operator!=(const executor_type& a, const executor_type& b) noexcept {
    return !(a == b);
  }

 private:
  WorldContext* context_;
};

inline WorldContext::executor_type WorldContext::get_executor() noexcept {
  return executor_type(*this);
}

/// A timer of virtual time for Asio code: `co_await timer.async_wait(use_awaitable)`. One wait at a
/// time. Per-operation cancellation and `cancel` complete it with operation_aborted.
class WorldTimer {
 public:
  using executor_type = WorldContext::executor_type;

  explicit WorldTimer(WorldContext& context)
      : context_(context), core_(context.world(), context.work()) {}
  WorldTimer(WorldContext& context, runtime::Duration delay) : WorldTimer(context) {
    expires_after(delay);
  }
  ~WorldTimer() { cancel(); }

  [[nodiscard]] executor_type get_executor() noexcept { return context_.get_executor(); }
  /// Sets the deadline of the next wait; cancels a wait in progress.
  void expires_after(runtime::Duration delay) {
    cancel();
    deadline_ = context_.world().now() + delay;
  }
  void cancel() { core_.cancel(); }

  template <typename Token>
  auto async_wait(Token&& token) {
    return boost::asio::async_initiate<Token, void(boost::system::error_code)>(
        [this](auto handler) { this->start(std::move(handler)); }, token);
  }

 private:
  template <typename Handler>
  void start(Handler handler) {
    auto slot = boost::asio::get_associated_cancellation_slot(handler);
    if (slot.is_connected()) {
      slot.assign([this](boost::asio::cancellation_type) { cancel(); });
    }
    auto executor = boost::asio::get_associated_executor(handler, get_executor());
    auto kept = std::make_shared<Handler>(std::move(handler));
    core_.wait(deadline_, [kept, executor](bool expired) {
      boost::asio::post(executor, [kept, expired] {
        const boost::system::error_code aborted = boost::asio::error::operation_aborted;
        std::move (*kept)(expired ? boost::system::error_code() : aborted);
      });
    });
  }

  WorldContext& context_;
  AsioTimerCore core_;
  runtime::TimePoint deadline_;
};

}  // namespace watchlab::sim
