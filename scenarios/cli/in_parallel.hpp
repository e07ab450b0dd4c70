#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "scenarios/campaign/joined_threads.hpp"

namespace watchlab::scenarios {

/// Does `work(i)` for each i below `count`, on up to `jobs` threads, and hands each result to
/// `then(i, result)` on the calling thread, in the order of i, as soon as its turn has come. What
/// comes out does not depend on the number of jobs, nor the memory that it takes on `count`. Where
/// `work(i)` returns nothing, all ends before i. `work` must not throw; each call of it must share
/// nothing that it changes with the others.
template <typename Result>
void in_parallel(std::size_t count, std::size_t jobs,
                 const std::function<std::optional<Result>(std::size_t)>& work,
                 const std::function<void(std::size_t, const Result&)>& then) {
  if (jobs <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::optional<Result> result = work(i);
      if (!result) {
        return;
      }
      then(i, *result);
    }
    return;
  }
  std::mutex mutex;
  std::condition_variable done;
  std::map<std::size_t, Result> results;  // those whose turn has not come
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> end = count;
  const auto work_on = [&] {
    for (std::size_t i = next++; i < end; i = next++) {
      std::optional<Result> result = work(i);
      const std::scoped_lock lock(mutex);
      if (result) {
        results.emplace(i, *std::move(result));
      } else {
        end = std::min(end.load(), i);
      }
      done.notify_one();
    }
  };
  JoinedThreads threads;
  for (std::size_t i = 0; i < std::min(jobs, count); ++i) {
    threads.start(work_on);
  }
  for (std::size_t i = 0; i < end; ++i) {
    std::unique_lock lock(mutex);
    done.wait(lock, [&] { return i >= end || results.contains(i); });
    const auto result = results.extract(i);
    lock.unlock();
    if (result) {
      then(i, result.mapped());
    }
  }
}

}  // namespace watchlab::scenarios
