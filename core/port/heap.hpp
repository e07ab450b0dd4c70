#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/cache/key.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/shared.hpp"

namespace watchlab::cache {

/// Objects by priority and by key: a consumer waits for the first in order, a caller that has the
/// key can change or remove an object in between. One object a key. Any task may call any function.
/// Of two with the same priority the one that came first comes out first. Mirrors client-go
/// tools/cache/heap.go, Heap; what container/heap does there, a sorted set does here.
class Heap {
 public:
  /// Whether the left object comes out before the right one. Called under the lock.
  using LessFunction = std::function<bool(const api::ObjectPtr& left, const api::ObjectPtr& right)>;

  Heap(runtime::Runtime& runtime, KeyFunction key_function, LessFunction less);

  /// Inserts, or takes the place of what has the same key, wherever that belongs now. An error of
  /// `ErrorKind::Closed` once the heap is closed.
  api::Result<void> add(const api::ObjectPtr& object);
  /// `add` for each, in one step. Stops at the first that has no key; those before it are in,
  /// though no waiting consumer is woken for them, as in the original.
  api::Result<void> bulk_add(std::span<const api::ObjectPtr> objects);
  /// Inserts unless the key is there. An error of `ErrorKind::Closed` once the heap is closed.
  api::Result<void> add_if_not_present(const api::ObjectPtr& object);
  /// An error when the key is not there. Works on a closed heap.
  api::Result<void> remove(const api::ObjectPtr& object);
  /// Takes out the first object; waits for one. An error of `ErrorKind::Closed` when there is none
  /// and the heap is closed.
  [[nodiscard]] api::Result<api::ObjectPtr> pop();
  /// Wakes every task that waits in `pop`. What is in can still be popped.
  void close();

  [[nodiscard]] bool is_closed() const;
  /// In no promised order.
  [[nodiscard]] std::vector<api::ObjectPtr> list() const;
  [[nodiscard]] std::vector<std::string> list_keys() const;
  /// Null when there is none.
  [[nodiscard]] api::Result<api::ObjectPtr> get(const api::ObjectPtr& object) const;
  [[nodiscard]] api::ObjectPtr get_by_key(const std::string& key) const;

 private:
  struct Entry {
    std::string key;
    api::ObjectPtr object;
  };
  struct ComesBefore {
    LessFunction less;
    bool operator()(const Entry& left, const Entry& right) const {
      return less(left.object, right.object);
    }
  };
  using Entries = std::multiset<Entry, ComesBefore>;
  /// Guarded by the lock.
  struct State {
    Entries entries;
    std::unordered_map<std::string, Entries::const_iterator> places;
    bool closed = false;
  };

  static void put(State& state, const std::string& key, const api::ObjectPtr& object);

  runtime::Runtime& runtime_;
  KeyFunction key_function_;
  mutable runtime::Mutex mutex_;
  runtime::CondVar changed_;
  runtime::Shared<State> state_;
};

}  // namespace watchlab::cache
