#pragma once

#include <deque>
#include <map>

#include "core/cache/first/store.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/shared.hpp"

namespace watchlab::cache::first {

/// A store that can also be emptied in order. Every add and update appends the id to the queue.
/// `pop` returns the newest object of the first id, once: it skips an id whose object was popped or
/// removed. A channel cannot do that. Any task may call any function.
///
/// What it cannot do: end (later: `Queue::close`), report that the first list has been processed
/// (later: `Queue::has_synced`), report a deletion, because the object just never comes out (later:
/// `DeltaFIFO`), or keep an object whose processing failed (later: `ErrRequeue`).
class FIFO final : public Store {
 public:
  explicit FIFO(runtime::Runtime& runtime);

  void add(const std::string& id, const api::ObjectPtr& object) override;
  void update(const std::string& id, const api::ObjectPtr& object) override;
  /// The id stays in the queue and is skipped later.
  void remove(const std::string& id) override;
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override;
  [[nodiscard]] api::ObjectPtr get(const std::string& id) const override;

  /// Takes out an object; blocks until there is one.
  [[nodiscard]] api::ObjectPtr pop();

 private:
  struct State {
    std::map<std::string, api::ObjectPtr> items;
    std::deque<std::string> queue;
  };

  runtime::Runtime& runtime_;
  mutable runtime::Mutex mutex_;
  runtime::CondVar changed_;
  runtime::Shared<State> state_;
};

}  // namespace watchlab::cache::first
