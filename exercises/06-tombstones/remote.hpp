#pragma once

// How the queue is called from the process of the tests.
#include <vector>

#include "exercises/06-tombstones/subject.hpp"
#include "exercises/toolkit/remote_values.hpp"

namespace watchlab::exercise {

class RemoteChangeQueue final
    : public course::Remote<ChangeQueue, &ChangeQueue::add, &ChangeQueue::update,
                            &ChangeQueue::remove, &ChangeQueue::replace, &ChangeQueue::resync,
                            &ChangeQueue::pop, &ChangeQueue::has_synced, &ChangeQueue::empty,
                            &ChangeQueue::stored> {
 public:
  using Remote::Remote;

  void add(const api::ObjectPtr& object) override { call<&ChangeQueue::add>(object); }
  void update(const api::ObjectPtr& object) override { call<&ChangeQueue::update>(object); }
  void remove(const api::ObjectPtr& object) override { call<&ChangeQueue::remove>(object); }
  void replace(const std::vector<api::ObjectPtr>& list) override {
    call<&ChangeQueue::replace>(list);
  }
  void resync() override { call<&ChangeQueue::resync>(); }
  [[nodiscard]] cache::Deltas pop() override { return call<&ChangeQueue::pop>(); }
  [[nodiscard]] bool has_synced() const override { return call<&ChangeQueue::has_synced>(); }
  [[nodiscard]] bool empty() const override { return call<&ChangeQueue::empty>(); }
  [[nodiscard]] std::vector<api::ObjectPtr> stored() const override {
    return call<&ChangeQueue::stored>();
  }
};

/// What the library defines.
using LibraryFunctions = course::Methods<&make_queue>;

}  // namespace watchlab::exercise

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::ChangeQueue> {
  using Proxy = exercise::RemoteChangeQueue;
};
