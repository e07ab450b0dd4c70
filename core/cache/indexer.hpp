#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"
#include "core/cache/key.hpp"
#include "core/cache/store.hpp"

namespace watchlab::cache {

/// Computes the values under which an index lists an object: none, one or several. Called under the
/// store's lock, so it must not call back. An error while a store changes is a panic there. Mirrors
/// client-go tools/cache/index.go, IndexFunc.
using IndexFunction =
    std::function<api::Result<std::vector<std::string>>(const api::ObjectPtr& object)>;

/// Index functions by name. Mirrors client-go tools/cache/index.go, Indexers.
using Indexers = std::map<std::string, IndexFunction>;

/// The default name of the index by namespace. Mirrors client-go tools/cache/index.go,
/// NamespaceIndex.
inline constexpr std::string_view kNamespaceIndex = "namespace";

/// The object's namespace as its only index value. Mirrors client-go tools/cache/index.go,
/// MetaNamespaceIndexFunc.
[[nodiscard]] api::Result<std::vector<std::string>> meta_namespace_index(
    const api::ObjectPtr& object);

/// Turns an index function that returns exactly one value into a key function; no value or several
/// are a key error. Mirrors client-go tools/cache/index.go, IndexFuncToKeyFuncAdapter.
[[nodiscard]] KeyFunction key_function_from(IndexFunction index_function);

/// A store that also finds objects by values computed from them. Any task may call any function. An
/// index never lags behind the objects. Mirrors client-go tools/cache/index.go, Indexer.
///
/// Functions that take the name of an index fail with `ErrorKind::Other` if there is none with that
/// name.
class Indexer : public Store {
 public:
  /// The stored objects that share at least one index value with `object`, each once, in
  /// unspecified order. `object` itself need not be stored.
  [[nodiscard]] virtual api::Result<std::vector<api::ObjectPtr>> index(
      const std::string& index_name, const api::ObjectPtr& object) const = 0;
  /// The keys of the objects with this value, sorted.
  [[nodiscard]] virtual api::Result<std::vector<std::string>> index_keys(
      const std::string& index_name, const std::string& value) const = 0;
  /// The objects with this value, in unspecified order.
  [[nodiscard]] virtual api::Result<std::vector<api::ObjectPtr>> by_index(
      const std::string& index_name, const std::string& value) const = 0;
  /// The values that at least one object has, in unspecified order; none for an unknown index.
  [[nodiscard]] virtual std::vector<std::string> list_index_function_values(
      const std::string& index_name) const = 0;
  /// A copy. Differs from client-go: the original returns its live map, which races with
  /// AddIndexers.
  [[nodiscard]] virtual Indexers get_indexers() const = 0;
  /// Adds indices and fills them from the stored objects. If a name is taken, that is an error, and
  /// nothing is added.
  virtual api::Result<void> add_indexers(const Indexers& indexers) = 0;
};

}  // namespace watchlab::cache
