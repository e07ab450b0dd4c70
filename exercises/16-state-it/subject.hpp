#pragma once

#include <memory>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::exercise {

/// The queue of E04, small: an object waits once, in its newest state; fresh ones come out in the
/// order in which they were first added; what was removed does not come out.
class SmallQueue {
 public:
  SmallQueue() = default;
  SmallQueue(const SmallQueue&) = delete;
  SmallQueue& operator=(const SmallQueue&) = delete;
  virtual ~SmallQueue() = default;

  /// Adds the object, or replaces the state that waits.
  virtual void add(const api::ObjectPtr& object) = 0;
  virtual void remove(const api::ObjectPtr& object) = 0;
  /// Waits for an object and takes it out.
  [[nodiscard]] virtual api::ObjectPtr pop() = 0;
  /// What waits, in no promised order.
  [[nodiscard]] virtual std::vector<api::ObjectPtr> waiting() const = 0;
};

/// An empty queue. Each variant of this exercise has its own.
[[nodiscard]] std::unique_ptr<SmallQueue> make_queue(runtime::Runtime& runtime);

}  // namespace watchlab::exercise
