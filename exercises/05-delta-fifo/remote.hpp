#pragma once

// How the queue is called from the process that judges it.
#include <string>
#include <vector>

#include "exercises/05-delta-fifo/subject.hpp"
#include "exercises/toolkit/remote_peer.hpp"

namespace watchlab::exercise {

class RemoteQueue final
    : public course::Remote<DeltaQueue, &DeltaQueue::add, &DeltaQueue::update, &DeltaQueue::remove,
                            &DeltaQueue::pop, &DeltaQueue::close, &DeltaQueue::keys,
                            &DeltaQueue::queued> {
 public:
  using Remote::Remote;

  void add(const api::ObjectPtr& object) override { call<&DeltaQueue::add>(object); }
  void update(const api::ObjectPtr& object) override { call<&DeltaQueue::update>(object); }
  void remove(const api::ObjectPtr& object) override { call<&DeltaQueue::remove>(object); }
  [[nodiscard]] bool pop(const Process& process) override {
    return call<&DeltaQueue::pop>(process);
  }
  void close() override { call<&DeltaQueue::close>(); }
  [[nodiscard]] std::vector<std::string> keys() const override { return call<&DeltaQueue::keys>(); }
  [[nodiscard]] Changes queued(const std::string& key) const override {
    return call<&DeltaQueue::queued>(key);
  }
};

/// The queue asks the tests' consumer: this call goes the other way.
class RemoteKnown final : public course::Remote<Known, &Known::has> {
 public:
  using Remote::Remote;

  [[nodiscard]] bool has(const std::string& key) const override { return call<&Known::has>(key); }
};

/// What the student's library defines.
using LibraryFunctions = course::Methods<&make_queue>;

}  // namespace watchlab::exercise

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::DeltaQueue> {
  using Proxy = exercise::RemoteQueue;
};

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::Known> {
  using Proxy = exercise::RemoteKnown;
};
