#pragma once

#include <functional>
#include <vector>

#include "sim/std/thread.hpp"

namespace watchlab::scoreboard {

/// Threads that are started one by one, and joined in the same order.
class Crew {
 public:
  void start(const std::function<void()>& work, int times = 1) {
    for (int i = 0; i < times; ++i) {
      threads_.emplace_back(work);
    }
  }
  void join() {
    for (stdx::thread& each : threads_) {
      each.join();
    }
  }

 private:
  std::vector<stdx::thread> threads_;
};

}  // namespace watchlab::scoreboard
