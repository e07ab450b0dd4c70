#pragma once

#include <functional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "scenarios/language/unsupported.hpp"

namespace watchlab::scenarios {

/// Threads that have ended when this has; std::jthread, which not every C++ library has yet.
class JoinedThreads {
 public:
  JoinedThreads() = default;
  JoinedThreads(const JoinedThreads&) = delete;
  JoinedThreads& operator=(const JoinedThreads&) = delete;
  ~JoinedThreads() {
    for (std::thread& thread : threads_) {
      thread.join();
    }
  }

  /// Throws `Unsupported` where there are no more threads, as in a browser tab.
  void start(std::function<void()> work) {
    try {
      threads_.emplace_back(std::move(work));
    } catch (const std::system_error&) {
      throw Unsupported("no thread can be started for a job; expected --jobs 1");
    }
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace watchlab::scenarios
