#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace watchlab::scenarios {

/// Does `work(i)` for each i below `count`, on up to `jobs` threads, and hands each result to
/// `then(i, result)` on the calling thread, in the order of i, as soon as its turn has come. What
/// comes out does not depend on the number of jobs. `work` must not throw; each call of it must
/// share nothing that it changes with the others.
template <typename Result>
void in_parallel(std::size_t count, std::size_t jobs,
                 const std::function<Result(std::size_t)>& work,
                 const std::function<void(std::size_t, const Result&)>& then) {
  if (jobs <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      then(i, work(i));
    }
    return;
  }
  std::mutex mutex;
  std::condition_variable done;
  std::vector<std::optional<Result>> results(count);
  std::atomic<std::size_t> next = 0;
  const auto work_on = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      Result result = work(i);
      const std::scoped_lock lock(mutex);
      results[i] = std::move(result);
      done.notify_one();
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < std::min(jobs, count); ++i) {
    threads.emplace_back(work_on);
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::unique_lock lock(mutex);
    done.wait(lock, [&] { return results[i].has_value(); });
    const Result result = *std::move(results[i]);
    results[i].emplace();
    lock.unlock();
    then(i, result);
  }
}

}  // namespace watchlab::scenarios
