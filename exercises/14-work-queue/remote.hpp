#pragma once

// How the queue is called from the process of the tests.
#include <optional>
#include <string>

#include "exercises/14-work-queue/subject.hpp"
#include "exercises/toolkit/remote_peer.hpp"

namespace watchlab::exercise {

class RemoteWorkQueue final
    : public course::Remote<WorkQueue, &WorkQueue::add, &WorkQueue::add_after, &WorkQueue::get,
                            &WorkQueue::done, &WorkQueue::retry, &WorkQueue::forget,
                            &WorkQueue::failures, &WorkQueue::shut_down,
                            &WorkQueue::shut_down_with_drain, &WorkQueue::size> {
 public:
  using Remote::Remote;

  void add(const std::string& key) override { call<&WorkQueue::add>(key); }
  void add_after(const std::string& key, runtime::Duration delay) override {
    call<&WorkQueue::add_after>(key, delay);
  }
  [[nodiscard]] std::optional<std::string> get() override { return call<&WorkQueue::get>(); }
  void done(const std::string& key) override { call<&WorkQueue::done>(key); }
  void retry(const std::string& key) override { call<&WorkQueue::retry>(key); }
  void forget(const std::string& key) override { call<&WorkQueue::forget>(key); }
  [[nodiscard]] std::int64_t failures(const std::string& key) const override {
    return call<&WorkQueue::failures>(key);
  }
  void shut_down() override { call<&WorkQueue::shut_down>(); }
  void shut_down_with_drain() override { call<&WorkQueue::shut_down_with_drain>(); }
  [[nodiscard]] std::int64_t size() override { return call<&WorkQueue::size>(); }
};

/// What the library defines.
using LibraryFunctions = course::Methods<&make_work_queue>;

}  // namespace watchlab::exercise

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::WorkQueue> {
  using Proxy = exercise::RemoteWorkQueue;
};
