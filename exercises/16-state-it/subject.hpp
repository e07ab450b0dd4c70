#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::exercise {

/// What a pop has done to the store: an object is there in this state, or it is gone.
struct Change {
  std::string name;
  api::ObjectPtr object;  ///< null when it is gone
};

/// A queue of changes together with the store that its consumer keeps: the inner half of an
/// informer, small. A reflector fills it, by `put` and `remove` for what a watch delivers and by
/// `replace` for what a list delivers. The promises:
///
/// - **U1** Every state that was put or listed comes out, and of one object the states and
///   deletions come out in the order in which they were given. Two deletions of an object with
///   nothing between them may come out as one.
/// - **U2** `replace` takes the list as the whole truth: what is stored or queued and not in the
///   list is deleted.
/// - **U3** `resync` lets every stored object come out once more, in its newest state as of then:
///   never in an older one than has come out, or waits.
/// - **U4** `pop` waits until something is queued, and takes out the oldest of it. What comes out
///   is stored in the same step.
/// - **U5** So at rest, when nothing is queued, the store is the truth: what was put or listed last
///   and not deleted since, and nothing else.
///
/// Not promised: the order of changes of two objects; how many changes, and of how many objects,
/// come out of one pop, which may be none (a list that brings nothing new); whether the deletion
/// of an object that was never there comes out.
class ChangeQueue {
 public:
  ChangeQueue() = default;
  ChangeQueue(const ChangeQueue&) = delete;
  ChangeQueue& operator=(const ChangeQueue&) = delete;
  virtual ~ChangeQueue() = default;

  virtual void put(const api::ObjectPtr& object) = 0;
  virtual void remove(const api::ObjectPtr& object) = 0;
  virtual void replace(const std::vector<api::ObjectPtr>& list) = 0;
  virtual void resync() = 0;
  [[nodiscard]] virtual std::vector<Change> pop() = 0;

  /// What the store holds, in no promised order. Looks, and does not take a step of the world.
  [[nodiscard]] virtual std::vector<api::ObjectPtr> stored() const = 0;
  /// Whether nothing is queued right now. Takes no step either.
  [[nodiscard]] virtual bool is_at_rest() const = 0;
};

/// An empty queue. Each variant of this exercise has its own.
[[nodiscard]] std::unique_ptr<ChangeQueue> make_queue(runtime::Runtime& runtime);

}  // namespace watchlab::exercise
