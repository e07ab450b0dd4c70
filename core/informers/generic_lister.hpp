#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/api/label_selector.hpp"
#include "core/api/object.hpp"
#include "core/cache/indexer.hpp"

/// Reads of an informer's store, as controllers make them. Nothing here asks a server; the results
/// are what the informer has received so far, in unspecified order. Any task may call any function.
namespace watchlab::cache {

/// The objects that a selector selects. A selector that selects nothing does not read the store.
/// Mirrors client-go tools/cache/listers.go, ListAll.
[[nodiscard]] std::vector<api::ObjectPtr> list_all(const Store& store,
                                                   const api::LabelSelector& selector);

/// Those in one namespace, found through the index `kNamespaceIndex`, or by scanning all objects if
/// the indexer has no such index. "" means all namespaces. Mirrors client-go
/// tools/cache/listers.go, ListAllByNamespace.
[[nodiscard]] std::vector<api::ObjectPtr> list_all_by_namespace(const Indexer& indexer,
                                                                const std::string& namespace_,
                                                                const api::LabelSelector& selector);

/// One namespace of a lister. Mirrors client-go tools/cache/listers.go, GenericNamespaceLister.
class GenericNamespaceLister {
 public:
  GenericNamespaceLister(std::shared_ptr<const Indexer> indexer, api::GroupVersionResource resource,
                         std::string namespace_);

  [[nodiscard]] std::vector<api::ObjectPtr> list(const api::LabelSelector& selector) const;
  /// An error with reason NotFound if there is none.
  [[nodiscard]] api::Result<api::ObjectPtr> get(const std::string& name) const;

 private:
  std::shared_ptr<const Indexer> indexer_;
  api::GroupVersionResource resource_;
  std::string in_namespace_;
};

/// Reads one resource. Mirrors client-go tools/cache/listers.go, GenericLister.
class GenericLister {
 public:
  GenericLister(std::shared_ptr<const Indexer> indexer, api::GroupVersionResource resource);

  [[nodiscard]] std::vector<api::ObjectPtr> list(const api::LabelSelector& selector) const;
  /// By key: "namespace/name", or "name" for cluster-wide objects. An error with reason NotFound if
  /// there is none.
  [[nodiscard]] api::Result<api::ObjectPtr> get(const std::string& key) const;
  [[nodiscard]] GenericNamespaceLister by_namespace(std::string namespace_) const;

 private:
  std::shared_ptr<const Indexer> indexer_;
  api::GroupVersionResource resource_;
};

}  // namespace watchlab::cache
