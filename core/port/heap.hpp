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

/// Objects by priority and by key: a consumer waits for the first in order, and a caller with the
/// key can change or remove an object in between. One object per key. Any task may call any
/// function. Objects with the same priority come out in insertion order. Mirrors client-go
/// tools/cache/heap.go, Heap, with a sorted set instead of container/heap.
class Heap {
 public:
  /// Whether the left object comes out before the right one. Called under the lock.
  using LessFunction = std::function<bool(const api::ObjectPtr& left, const api::ObjectPtr& right)>;

  Heap(runtime::Runtime& runtime, KeyFunction key_function, LessFunction less);

  /// Inserts the object, or replaces the one with the same key and moves it to its new place. An
  /// error of `ErrorKind::Closed` if the heap is closed.
  api::Result<void> add(const api::ObjectPtr& object);
  /// `add` for each, in one step. Stops at the first without a key. Those before it are inserted,
  /// but no waiting consumer is woken for them, as in the original.
  api::Result<void> bulk_add(std::span<const api::ObjectPtr> objects);
  /// Inserts unless the key exists. An error of `ErrorKind::Closed` if the heap is closed.
  api::Result<void> add_if_not_present(const api::ObjectPtr& object);
  /// An error if the key does not exist. Works on a closed heap.
  api::Result<void> remove(const api::ObjectPtr& object);
  /// Takes out the first object; waits for one. An error of `ErrorKind::Closed` if the heap is
  /// empty and closed.
  [[nodiscard]] api::Result<api::ObjectPtr> pop();
  /// Wakes every task that waits in `pop`. Remaining objects can still be popped.
  void close();

  [[nodiscard]] bool is_closed() const;
  /// In unspecified order.
  [[nodiscard]] std::vector<api::ObjectPtr> list() const;
  [[nodiscard]] std::vector<std::string> list_keys() const;
  /// Null if there is none.
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
