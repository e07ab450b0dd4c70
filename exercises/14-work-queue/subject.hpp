#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/runtime/runtime.hpp"
#include "core/runtime/time.hpp"

namespace watchlab::exercise {

/// Keys that wait for workers: what stands between the handlers of an informer and the workers of a
/// controller. A worker's loop is `get`, work, `done`; when the work has failed also `retry`, when
/// it has succeeded also `forget`. The promises:
///
/// - **W1** A key that was added waits until a worker gets it. However often it is added while it
///   waits, it waits once. No key is ever lost (C17).
/// - **W2** At most one worker has a key: from the `get` that gave it to the `done` of that worker.
///   A key that is added meanwhile waits again, once, when `done` is called, and not before (C16).
/// - **W3** No key starves: while a key waits, no other key is given out more than twice. Nothing
///   else is promised of the order.
/// - **W4** `get` waits while no key waits, and comes back as soon as one does, also when many
///   workers wait (C15). It gives nothing only when the queue was shut down and no key waits.
/// - **W5** `add_after` does not wait. It adds the key when the delay is over: not earlier, and at
///   most a tenth of a second later. Of several delays of one key the one that ends first counts,
///   and the key is added once. A plain `add` takes no delay away.
/// - **W6** `retry` counts a failure of the key and adds it after a delay: 1 s after the first
///   failure, 2 s after the second, and so on, always twice as long, but 60 s at most. Each key's
///   failures are counted apart. `forget` sets them to none and takes nothing out of the queue;
///   `failures` says how many there are.
/// - **W7** `shut_down` does not wait. From then on nothing is added, by no function, and what is
///   delayed never comes. Workers get what waits already, and then nothing. A key that was added
///   before while a worker had it waits again when it is done.
/// - **W8** `shut_down_with_drain` is a `shut_down` that comes back when every key that a worker
///   has is done: not before those that workers had when it was called, and at the latest when no
///   worker has a key and none waits. Any number of tasks may call it, at the same time or later.
/// - **W9** `size` is the number of keys that wait now; what is delayed or with a worker is not
///   counted. Any task may call any function at any time.
///
/// Not promised: what `done` does with a key that no worker has, and what happens when several
/// kinds of shutting down are mixed. A queue that is destroyed needs not be shut down before.
class WorkQueue {
 public:
  WorkQueue() = default;
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;
  virtual ~WorkQueue() = default;

  virtual void add(const std::string& key) = 0;
  virtual void add_after(const std::string& key, runtime::Duration delay) = 0;
  [[nodiscard]] virtual std::optional<std::string> get() = 0;
  virtual void done(const std::string& key) = 0;

  virtual void retry(const std::string& key) = 0;
  virtual void forget(const std::string& key) = 0;
  [[nodiscard]] virtual std::int64_t failures(const std::string& key) const = 0;

  virtual void shut_down() = 0;
  virtual void shut_down_with_drain() = 0;
  [[nodiscard]] virtual std::int64_t size() = 0;
};

/// An empty queue. Each variant of this exercise has its own.
[[nodiscard]] std::unique_ptr<WorkQueue> make_work_queue(runtime::Runtime& runtime);

}  // namespace watchlab::exercise
