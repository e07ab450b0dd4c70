#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/api/label_selector.hpp"
#include "core/api/resource.hpp"
#include "core/cache/indexer.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::cache {

/// Gets each object that a list found.
using AppendFunction = std::function<void(const api::ObjectPtr& object)>;

/// Appends the objects of a store that the selector matches, in no promised order. Mirrors
/// client-go tools/cache/listers.go, ListAll.
void list_all(const Store& store, const api::LabelSelector& selector, const AppendFunction& append);

/// The same for one namespace, by the index of that name; "" is all namespaces. Without the index
/// it looks at everything, and says so in the log. Mirrors client-go tools/cache/listers.go,
/// ListAllByNamespace.
void list_all_by_namespace(runtime::Runtime& runtime, const Indexer& indexer,
                           const std::string& namespace_name, const api::LabelSelector& selector,
                           const AppendFunction& append);

/// Reads one namespace of a cache as a client would read the server. Mirrors client-go
/// tools/cache/listers.go, GenericNamespaceLister.
class GenericNamespaceLister {
 public:
  GenericNamespaceLister(runtime::Runtime& runtime, const Indexer& indexer,
                         api::GroupVersionResource resource, std::string namespace_name);

  [[nodiscard]] std::vector<api::ObjectPtr> list(const api::LabelSelector& selector) const;
  /// A status NotFound when the cache does not have it.
  [[nodiscard]] api::Result<api::ObjectPtr> get(const std::string& name) const;

 private:
  runtime::Runtime& runtime_;
  const Indexer& indexer_;
  api::GroupVersionResource resource_;
  std::string namespace_;
};

/// Reads a cache as a client would read the server. The indexer must outlive it. Any task may call
/// any function. Mirrors client-go tools/cache/listers.go, GenericLister.
class GenericLister {
 public:
  GenericLister(runtime::Runtime& runtime, const Indexer& indexer,
                api::GroupVersionResource resource);

  [[nodiscard]] std::vector<api::ObjectPtr> list(const api::LabelSelector& selector) const;
  /// For cluster-wide objects; a status NotFound when the cache does not have it.
  [[nodiscard]] api::Result<api::ObjectPtr> get(const std::string& name) const;
  [[nodiscard]] GenericNamespaceLister by_namespace(std::string namespace_name) const;

 private:
  runtime::Runtime& runtime_;
  const Indexer& indexer_;
  api::GroupVersionResource resource_;
};

}  // namespace watchlab::cache
