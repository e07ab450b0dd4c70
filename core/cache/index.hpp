#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"
#include "core/cache/key.hpp"

namespace watchlab::cache {

/// Computes under which values an object stands in an index; none is fine, and so are several.
/// Called under the store's lock, so it must not call back. A failure in a store's mutation is a
/// panic there. Mirrors client-go tools/cache/index.go, IndexFunc.
using IndexFunction =
    std::function<api::Result<std::vector<std::string>>(const api::ObjectPtr& object)>;

/// Index functions by name. Mirrors client-go tools/cache/index.go, Indexers.
using Indexers = std::map<std::string, IndexFunction>;

/// The usual name of the index by namespace. Mirrors client-go tools/cache/index.go,
/// NamespaceIndex.
inline constexpr std::string_view kNamespaceIndex = "namespace";

/// The object's namespace as its only index value. Mirrors client-go tools/cache/index.go,
/// MetaNamespaceIndexFunc.
[[nodiscard]] api::Result<std::vector<std::string>> meta_namespace_index(
    const api::ObjectPtr& object);

/// Makes a key function of an index function that gives exactly one value; none or several are a
/// key error. Mirrors client-go tools/cache/index.go, IndexFuncToKeyFuncAdapter.
[[nodiscard]] KeyFunction key_function_from(IndexFunction index_function);

}  // namespace watchlab::cache
