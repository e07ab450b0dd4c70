#pragma once

// How the queue is called from the process of the tests.
#include <string>
#include <vector>

#include "exercises/04-fifo/subject.hpp"
#include "exercises/toolkit/remote_peer.hpp"

namespace watchlab::exercise {

class RemoteQueue final : public course::Remote<Queue, &Queue::add, &Queue::update, &Queue::remove,
                                                &Queue::pop, &Queue::get, &Queue::list> {
 public:
  using Remote::Remote;

  void add(const api::ObjectPtr& object) override { call<&Queue::add>(object); }
  void update(const api::ObjectPtr& object) override { call<&Queue::update>(object); }
  void remove(const api::ObjectPtr& object) override { call<&Queue::remove>(object); }
  [[nodiscard]] api::ObjectPtr pop() override { return call<&Queue::pop>(); }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    return call<&Queue::get>(key);
  }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override { return call<&Queue::list>(); }
};

/// What the library defines.
using LibraryFunctions = course::Methods<&make_queue>;

}  // namespace watchlab::exercise

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::Queue> {
  using Proxy = exercise::RemoteQueue;
};
