#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace watchlab::runtime {

/// OS threads for what blocks its thread. They come as they are needed, up to a bound, and stay.
/// Any thread may call any function. Destroying it waits for what runs.
class BlockingPool {
 public:
  BlockingPool() = default;
  BlockingPool(const BlockingPool&) = delete;
  BlockingPool& operator=(const BlockingPool&) = delete;
  ~BlockingPool();

  /// Runs the work on one of the threads, some time. It must let no exception out.
  void run(std::function<void()> work);

 private:
  static constexpr std::size_t kThreadsMax = 32;

  void serve();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool ending_ = false;
};

}  // namespace watchlab::runtime
