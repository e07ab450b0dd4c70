#include "core/runtime/fibers/event_loop.hpp"

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <utility>

namespace watchlab::runtime {

struct EventLoop::Parts {
  Parts(int threads, std::function<void()> on_wake_in)
      : on_wake(std::move(on_wake_in)), context(threads), guard(context.get_executor()) {}

  const std::function<void()> on_wake;
  std::atomic<bool> is_used = false;
  boost::asio::io_context context;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard;
};

EventLoop::EventLoop(std::size_t threads, std::function<void()> on_wake)
    : parts_(std::make_unique<Parts>(static_cast<int>(threads), std::move(on_wake))) {}

EventLoop::~EventLoop() = default;

void EventLoop::wait(std::optional<Steady::time_point> deadline) {
  if (deadline) {
    parts_->context.run_one_until(*deadline);
  } else {
    parts_->context.run_one();
  }
}

void EventLoop::poll() {
  if (parts_->is_used.load(std::memory_order_relaxed)) {
    parts_->context.poll();
  }
}

void EventLoop::wake() {
  boost::asio::post(parts_->context, [parts = parts_.get()] { parts->on_wake(); });
}

boost::asio::io_context& EventLoop::context() {
  parts_->is_used = true;
  return parts_->context;
}

}  // namespace watchlab::runtime
