#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/runtime/backend.hpp"
#include "core/runtime/thread_random.hpp"

namespace watchlab::runtime {

class ThreadChannel;

/// The mutexes of several channels, each once and in the order of the channels' numbers, so that
/// two selects over the same channels cannot deadlock. Null channels are left out.
class ThreadChannelLocks {
 public:
  explicit ThreadChannelLocks(std::span<const SelectCase> cases);
  ThreadChannelLocks(const ThreadChannelLocks&) = delete;
  ThreadChannelLocks& operator=(const ThreadChannelLocks&) = delete;
  ~ThreadChannelLocks() { unlock(); }

  void lock();
  /// Does nothing when not locked.
  void unlock();

 private:
  /// Few need more, and then it allocates nothing.
  boost::container::small_vector<ThreadChannel*, 4> channels_;
  bool held_ = false;
};

/// One select of `ThreadRuntime`. Looks for a ready arm and else parks, with all its channels
/// locked, so that no counterpart can come in between; see `ThreadParking` for how it is woken.
class ThreadSelect {
 public:
  ThreadSelect(std::span<SelectCase> cases, ThreadRandom& random)
      : cases_(cases), random_(random), locks_(cases) {}

  /// See `Runtime::select`.
  std::optional<std::size_t> run(bool blocking);

 private:
  struct Place;

  [[nodiscard]] std::optional<std::size_t> do_ready_arm();
  [[nodiscard]] std::vector<std::size_t> ready_arms() const;
  [[nodiscard]] bool do_arm(std::size_t arm);
  std::size_t park();

  std::span<SelectCase> cases_;
  ThreadRandom& random_;
  ThreadChannelLocks locks_;
};

}  // namespace watchlab::runtime
