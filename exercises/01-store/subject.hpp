#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::exercise {

/// The key of an object: "namespace/name", or "name" when it has no namespace. Written by you.
[[nodiscard]] std::string key_of(const api::ObjectPtr& object);

/// Objects by key. Written by you. The promises:
///
/// - **S1** There is at most one object a key (C9).
/// - **S2** `put` stores an object in place of what stood under its key, if anything did. The store
///   compares no versions.
/// - **S3** `remove` takes away what stands under the key of the object it is given, whatever its
///   state. Removing what is not there does nothing.
/// - **S4** `replace` takes the list as the whole truth: afterwards exactly its objects are stored;
///   of two with one key, the later (C4). No task ever sees a part of it: a reader gets all of
///   before or all of after.
/// - **S5** `get` gives the object that stands under exactly that key; null when there is none.
/// - **S6** `list` gives every stored object once, in any order. What it gave never changes.
/// - **S7** Any task may call any function at any time. Each call sees and makes one consistent
///   state (C5), and no task waits indefinitely (C15).
class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  virtual void put(const api::ObjectPtr& object) = 0;
  virtual void remove(const api::ObjectPtr& object) = 0;
  virtual void replace(const std::vector<api::ObjectPtr>& list) = 0;
  [[nodiscard]] virtual api::ObjectPtr get(const std::string& key) const = 0;
  [[nodiscard]] virtual std::vector<api::ObjectPtr> list() const = 0;
};

/// An empty store of yours.
[[nodiscard]] std::unique_ptr<Store> make_store(runtime::Runtime& runtime);

}  // namespace watchlab::exercise
