#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::exercise {

/// Objects by key: what a client of the API server keeps, so that it need not ask again. The key of
/// an object is "namespace/name", or "name" when it has no namespace. Any task may call any
/// function at any time.
class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  /// Puts the object under its key, in place of what was there (C9: the key is the identity).
  virtual void add(const api::ObjectPtr& object) = 0;
  /// The same as `add`, also when nothing was there.
  virtual void update(const api::ObjectPtr& object) = 0;
  /// Takes the object with the same key away. No error when there is none.
  virtual void remove(const api::ObjectPtr& object) = 0;
  /// Afterwards the store holds these objects and no others (C4: what is not in the list is gone).
  virtual void replace(const std::vector<api::ObjectPtr>& objects) = 0;

  /// The object under that key; null when there is none.
  [[nodiscard]] virtual api::ObjectPtr get(const std::string& key) const = 0;
  /// All objects, as they are at one moment (C5). The list is the caller's: later changes of the
  /// store do not show in it. Nothing is promised about its order.
  [[nodiscard]] virtual std::vector<api::ObjectPtr> list() const = 0;
};

/// An empty store.
[[nodiscard]] std::unique_ptr<Store> make_store(runtime::Runtime& runtime);

}  // namespace watchlab::exercise
