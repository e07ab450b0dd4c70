#pragma once

#include <memory>
#include <string>

#include "core/workqueue/queue.hpp"

namespace watchlab::workqueue {

/// A queue to which keys can be added later. Has a task that waits for their moments; the task ends
/// when the queue shuts down. So shut it down before it is destroyed, always.
/// Mirrors client-go util/workqueue/delaying_queue.go, TypedDelayingInterface.
///
/// Differs from client-go: the task sleeps until the next moment or the next delayed key; the
/// original also wakes every 10 s, which nobody can see. Of keys with the same moment the one that
/// was delayed first comes first; the original promises no order.
class DelayingQueue : public Queue {
 public:
  explicit DelayingQueue(runtime::Runtime& runtime, QueueOptions options = {});
  ~DelayingQueue() override;

  /// Adds the key after `delay`, at once if that is not positive. Of several delays of one key the
  /// one that ends first counts, and then the key is added once; a plain `add` takes no delay away.
  /// Does nothing once the queue shuts down; keys that are delayed then are never added.
  void add_after(const std::string& key, runtime::Duration delay);

  void shut_down() override;
  void shut_down_with_drain() override;

 private:
  class Delays;

  const std::shared_ptr<Delays> delays_;  ///< the task's too, because it can end after the queue
};

}  // namespace watchlab::workqueue
