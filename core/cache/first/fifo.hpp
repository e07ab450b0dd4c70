#pragma once

#include <deque>
#include <map>

#include "core/cache/first/store.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/shared.hpp"

namespace watchlab::cache::first {

/// A store that can also be emptied in order. Every add and update puts the id at the end of the
/// queue; `pop` hands out the newest object of the first id, once: an id whose object is gone,
/// popped or removed, is skipped. That is what a channel cannot do. Any task may call any function.
///
/// What it cannot do: end (later: `Queue::close`), say that the first list is through (later:
/// `Queue::has_synced`), report that an object was deleted, which just never comes out (later:
/// `DeltaFIFO`), keep a failed object (later: `ErrRequeue`).
class FIFO final : public Store {
 public:
  explicit FIFO(runtime::Runtime& runtime);

  void add(const std::string& id, const api::ObjectPtr& object) override;
  void update(const std::string& id, const api::ObjectPtr& object) override;
  /// The id stays in the queue, to be skipped.
  void remove(const std::string& id) override;
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override;
  [[nodiscard]] api::ObjectPtr get(const std::string& id) const override;

  /// Takes out an object; waits for one, without limit.
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
