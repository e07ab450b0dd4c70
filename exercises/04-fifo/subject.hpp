#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::exercise {

/// A queue of objects that is also a store of what waits. It stands between a reflector that fills
/// it and workers that empty it. An object's key is "namespace/name", or "name" when it has no
/// namespace. An object is *fresh* when its key was never popped or removed before. The promises:
///
/// - **Q1** `add` and `update` do the same: the object waits now, in that state. Nothing that waits
///   is ever lost, however much waits.
/// - **Q2** An object waits once, in the state that was given last. The queue compares no versions.
///   What happens to it while it waits is not kept: a queue of objects is no queue of events.
/// - **Q3** Fresh objects come out in the order in which they were first added; an update leaves a
///   waiting object's place. For objects that are not fresh no order is promised.
/// - **Q4** `pop` takes an object out and gives it to one caller only. After that it does not wait
///   any more, until it is added again.
/// - **Q5** `pop` waits while nothing waits for it, and comes back as soon as something does, also
///   when many callers wait (C15). It never gives null.
/// - **Q6** `remove` takes away what waits under the object's key, in whatever state; it will not
///   come out. Removing what does not wait is no error.
/// - **Q7** `get` and `list` show what waits and nothing else: null, or no entry, for what does
///   not. A list has each object once, in no promised order.
/// - **Q8** Any task may call any function at any time; each call sees and makes one consistent
///   state.
class Queue {
 public:
  Queue() = default;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  virtual ~Queue() = default;

  virtual void add(const api::ObjectPtr& object) = 0;
  virtual void update(const api::ObjectPtr& object) = 0;
  virtual void remove(const api::ObjectPtr& object) = 0;
  [[nodiscard]] virtual api::ObjectPtr pop() = 0;
  [[nodiscard]] virtual api::ObjectPtr get(const std::string& key) const = 0;
  [[nodiscard]] virtual std::vector<api::ObjectPtr> list() const = 0;
};

/// An empty queue. Each variant of this exercise has its own.
[[nodiscard]] std::unique_ptr<Queue> make_queue(runtime::Runtime& runtime);

}  // namespace watchlab::exercise
