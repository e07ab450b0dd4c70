#pragma once

#include <vector>

#include "core/cache/known_objects.hpp"
#include "core/cache/reflector_store.hpp"

namespace watchlab::cache {

/// Objects by key. Any task may call any function; each sees and makes one consistent state.
/// Mirrors client-go tools/cache/store.go, Store.
///
/// `add` and `update` are the same: they put the object in place of what was there. Removing what
/// is not there is no error. A key that cannot be computed is an error of `ErrorKind::Key`. What a
/// store hands out never changes afterwards: lists are copies and objects are immutable.
class Store : public ReflectorStore, public KeyListerGetter {
 public:
  /// In no promised order: the outside decides.
  [[nodiscard]] virtual std::vector<api::ObjectPtr> list() const = 0;
  /// The stored object with the same key as `item`; null when there is none.
  [[nodiscard]] virtual api::Result<api::ObjectPtr> get(const Item& item) const = 0;
};

}  // namespace watchlab::cache
