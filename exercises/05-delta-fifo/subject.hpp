#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::exercise {

enum class ChangeType : std::uint8_t { Added, Updated, Deleted };

/// One thing that happened to an object, with its state after it; before it for Deleted.
struct Change {
  ChangeType type = ChangeType::Added;
  api::ObjectPtr object;
};

/// What happened to one object since the consumer last looked, the oldest first.
using Changes = std::vector<Change>;

/// What the consumer does with the changes of one object: it puts them into its store.
using Process = std::function<void(const std::string& key, const Changes& changes)>;

/// What the consumer has stored already; the queue asks it. It never calls back.
class Known {
 public:
  Known() = default;
  Known(const Known&) = delete;
  Known& operator=(const Known&) = delete;
  virtual ~Known() = default;

  [[nodiscard]] virtual bool has(const std::string& key) const = 0;
};

/// A queue of changes, grouped by object: the heart of an informer. Written by you. An object's key
/// is "namespace/name", or "name" (`api::key_of(object->metadata)`). The promises:
///
/// - **D1** `add` and `update` queue a change behind those that the object has already. None is
///   lost and none is merged, save for D2 (C1).
/// - **D2** `remove` queues a Deleted, if the object is known or has changes queued; else it does
///   nothing. A deletion right behind a deletion is dropped: the first one stays (C10).
/// - **D3** An object's place in the line is that of its oldest queued change. `keys` gives the
///   line, each key once; `queued` gives an object's changes, none when there are none.
/// - **D4** `pop` waits until something is queued, takes all changes of the first object, calls
///   `process` with them, and returns true. From the taking to the end of `process` no other task
///   gets into the queue: every other function waits. So no task finds an object neither queued nor
///   known.
/// - **D5** `close` wakes every task that waits. What is queued can still be popped, and more can
///   be added; a `pop` that finds nothing returns false.
/// - **D6** Any task may call any function at any time (C5), and no task waits indefinitely (C15).
class DeltaQueue {
 public:
  DeltaQueue() = default;
  DeltaQueue(const DeltaQueue&) = delete;
  DeltaQueue& operator=(const DeltaQueue&) = delete;
  virtual ~DeltaQueue() = default;

  virtual void add(const api::ObjectPtr& object) = 0;
  virtual void update(const api::ObjectPtr& object) = 0;
  virtual void remove(const api::ObjectPtr& object) = 0;
  [[nodiscard]] virtual bool pop(const Process& process) = 0;
  virtual void close() = 0;
  [[nodiscard]] virtual std::vector<std::string> keys() const = 0;
  [[nodiscard]] virtual Changes queued(const std::string& key) const = 0;
};

/// An empty queue of yours. `known` outlives it.
[[nodiscard]] std::unique_ptr<DeltaQueue> make_queue(runtime::Runtime& runtime, const Known& known);

}  // namespace watchlab::exercise
