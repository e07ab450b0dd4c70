#include "sim/std/thread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/runtime/recover.hpp"

namespace watchlab::stdx {
namespace {

uint64_t number_of_real(::std::thread::id id) {
  uint64_t number = 0;
  static_assert(sizeof(id) <= sizeof(number));  // a pointer, or on Windows a number of 32 bits
  ::std::memcpy(&number, &id, sizeof(id));
  return number;
}

/// Two, because most of what threads do wrong two can do.
constexpr unsigned kProcessorsOfWorlds = 2;

}  // namespace

thread::id id_here() {
  sim::World* const world = world_here();
  return thread::id(world != nullptr ? number_of_task(*world)
                                     : number_of_real(::std::this_thread::get_id()));
}

thread::id this_thread::get_id() noexcept { return id_here(); }

void this_thread::yield(Location here) {
  if (sim::World* const world = world_here()) {
    stdx::yield(*world, here);
  } else {
    ::std::this_thread::yield();
  }
}

void thread::join(Location here) {
  sim::World* const world = world_here();
  if (world == nullptr || task_ == nullptr) {
    real_.join();  // throws when there is nothing to join
    return;
  }
  stdx::join(*world, *task_, here);
  task_ = nullptr;
}

void thread::detach() {
  if (task_ == nullptr) {
    real_.detach();
  }
  task_ = nullptr;
}

thread::id thread::get_id() const noexcept {
  return id(task_ != nullptr ? number_of(*task_) : number_of_real(real_.get_id()));
}

unsigned thread::hardware_concurrency() noexcept {
  return world_here() != nullptr ? kProcessorsOfWorlds : ::std::thread::hardware_concurrency();
}

void thread::let_go() noexcept {
  sim::World* const world = world_here();
  if (task_ != nullptr && world != nullptr) {
    report_misuse(*world,
                  fmt::format("destroys the thread {}, which was neither joined nor detached",
                              path_of(*task_)),
                  Location());
  }
  task_ = nullptr;
}

bool StopState::request_stop(Location here) {
  unique_lock<mutex> lock(mutex_, here);
  if (stopped_.exchange(true, memory_order_seq_cst, here)) {
    return false;
  }
  requester_ = this_thread::get_id();
  while (!callbacks_.empty()) {
    const ::std::shared_ptr<Callback> next = callbacks_.back();
    callbacks_.pop_back();
    next->called = true;
    lock.unlock(here);
    next->call();
    lock.lock(here);
    next->finished = true;
    finished_.fetch_add(1, memory_order_seq_cst, here);
    finished_.notify_all(here);
  }
  return true;
}

void StopState::add(const ::std::shared_ptr<Callback>& callback, Location here) {
  {
    const lock_guard<mutex> lock(mutex_, here);
    if (!stopped_.load(memory_order_seq_cst, here)) {
      callbacks_.push_back(callback);
      return;
    }
    callback->called = callback->finished = true;
  }
  callback->call();
}

void StopState::remove(const ::std::shared_ptr<Callback>& callback, Location here) {
  for (;;) {
    unsigned finished = 0;
    {
      const lock_guard<mutex> lock(mutex_, here);
      ::std::erase(callbacks_, callback);
      const bool mine = requester_ == this_thread::get_id();
      if (!callback->called || callback->finished || mine) {
        return;
      }
      finished = finished_.load(memory_order_seq_cst, here);
    }
    try {
      finished_.wait(finished, memory_order_seq_cst, here);
    } catch (const runtime::TaskKilled&) {  // the world stops, and this is a destructor
      return;
    }
  }
}

}  // namespace watchlab::stdx
