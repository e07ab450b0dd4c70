#pragma once

#include <core/runtime/cond_var.hpp>
#include <core/runtime/mutex.hpp>
#include <core/runtime/runtime.hpp>
#include <cstddef>
#include <deque>

/// Numbers on their way from producers to consumers, at most `capacity` at a time. Ordinary
/// blocking code; that it is written on `runtime::Mutex` and `runtime::CondVar` instead of the
/// standard library's is all that watchlab asks for.
class BoundedQueue {
 public:
  BoundedQueue(watchlab::runtime::Runtime& runtime, std::size_t capacity)
      : capacity_(capacity), mutex_(runtime, "queue"), changed_(runtime, "changed") {}

  /// Waits while the queue is full.
  void push(int number) {
    watchlab::runtime::Lock lock(mutex_);
    while (numbers_.size() == capacity_) {
      changed_.wait(lock);
    }
    numbers_.push_back(number);
    changed_.notify_one();
  }

  /// Waits while the queue is empty.
  int pop() {
    watchlab::runtime::Lock lock(mutex_);
    while (numbers_.empty()) {
      changed_.wait(lock);
    }
    const int number = numbers_.front();
    numbers_.pop_front();
    changed_.notify_one();
    return number;
  }

 private:
  std::size_t capacity_;
  watchlab::runtime::Mutex mutex_;
  watchlab::runtime::CondVar changed_;
  std::deque<int> numbers_;
};
