#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/cache/queue.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::exercise {

/// A queue of changes together with the store that its consumer keeps: the inner half of an
/// informer. A reflector calls `add`, `update` and `remove` for what a watch delivers, and
/// `replace` with what a list delivers; the consumer calls `pop`. An object's key is
/// "namespace/name", or "name". The promises:
///
/// - **D1** Every change is delivered, in the order in which it happened to its object (C1): none
///   is lost and none is merged, save for D4. Across objects no order is promised (C2).
/// - **D2** `replace` takes the list as the whole truth. It delivers each listed object as
///   Replaced. Whatever is stored, or has changes queued, and is not in the list, it delivers as
///   Deleted (C4).
/// - **D3** Such a deletion was not seen: it comes as a tombstone, which carries the last state
///   that was known: the newest queued one, else the stored one. That is a state, never another
///   tombstone (C10).
/// - **D4** Two deletions with nothing between them are delivered as one. If one of them was seen,
///   that one is delivered, not the tombstone.
/// - **D5** `remove` delivers a deletion, with the state that it is given, if the object is stored
///   or has changes queued; else nothing happens.
/// - **D6** `resync` delivers every stored object once more, as Sync, with its stored state; but
///   nothing of an object that has changes queued, because those are newer.
/// - **D7** `pop` waits until something is queued, then takes out the oldest changes of one object,
///   at least one, and puts them into the store, all in one step that no task can look into. So at
///   any moment an object's newest state is queued or stored.
/// - **D8** `has_synced` is false at first. When the first thing that happens is a `replace`, it
///   becomes true as soon as everything is popped that this list queued (C12).
/// - **D9** Any task may call any function at any time.
///
/// How many changes one `pop` takes is not promised, nor what a Deleted without a stored object
/// does.
class ChangeQueue {
 public:
  ChangeQueue() = default;
  ChangeQueue(const ChangeQueue&) = delete;
  ChangeQueue& operator=(const ChangeQueue&) = delete;
  virtual ~ChangeQueue() = default;

  virtual void add(const api::ObjectPtr& object) = 0;
  virtual void update(const api::ObjectPtr& object) = 0;
  virtual void remove(const api::ObjectPtr& object) = 0;
  virtual void replace(const std::vector<api::ObjectPtr>& list) = 0;
  virtual void resync() = 0;
  [[nodiscard]] virtual cache::Deltas pop() = 0;
  [[nodiscard]] virtual bool has_synced() const = 0;

  /// Whether nothing is queued right now, so that `pop` would wait.
  [[nodiscard]] virtual bool empty() const = 0;
  /// What the store holds, in no promised order.
  [[nodiscard]] virtual std::vector<api::ObjectPtr> stored() const = 0;
};

/// An empty queue. `stored` is what the consumer has stored already, in an earlier life. Each
/// variant of this exercise has its own.
[[nodiscard]] std::unique_ptr<ChangeQueue> make_queue(runtime::Runtime& runtime,
                                                      std::vector<api::ObjectPtr> stored = {});

}  // namespace watchlab::exercise
