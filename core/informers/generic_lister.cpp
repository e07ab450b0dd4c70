#include "core/informers/generic_lister.hpp"

#include <fmt/format.h>

#include <utility>

namespace watchlab::cache {
namespace {

std::vector<api::ObjectPtr> chosen(std::vector<api::ObjectPtr> objects,
                                   const api::LabelSelector& selector) {
  if (!selector.is_everything()) {
    std::erase_if(objects, [&selector](const api::ObjectPtr& object) {
      return !selector.matches(object->metadata.labels);
    });
  }
  return objects;
}

api::Result<api::ObjectPtr> found(const Indexer& indexer, const api::GroupVersionResource& resource,
                                  const std::string& key) {
  if (api::ObjectPtr object = indexer.get_by_key(key)) {
    return object;
  }
  const std::string name = key.substr(key.find('/') + 1);
  api::Status missing = api::failure(api::StatusReason::NotFound,
                                     fmt::format("{} \"{}\" not found", resource.resource, name));
  missing.details.name = name;
  missing.details.group = resource.group;
  missing.details.kind = resource.resource;
  return api::error_from(std::move(missing));
}

}  // namespace

std::vector<api::ObjectPtr> list_all(const Store& store, const api::LabelSelector& selector) {
  if (selector.is_nothing()) {
    return {};
  }
  return chosen(store.list(), selector);
}

std::vector<api::ObjectPtr> list_all_by_namespace(const Indexer& indexer,
                                                  const std::string& namespace_,
                                                  const api::LabelSelector& selector) {
  if (namespace_.empty()) {
    return list_all(indexer, selector);
  }
  if (selector.is_nothing()) {
    return {};
  }
  if (auto indexed = indexer.by_index(std::string(kNamespaceIndex), namespace_)) {
    return chosen(std::move(indexed).value(), selector);
  }
  std::vector<api::ObjectPtr> objects = indexer.list();
  std::erase_if(objects, [&namespace_](const api::ObjectPtr& object) {
    return object->metadata.namespace_ != namespace_;
  });
  return chosen(std::move(objects), selector);
}

GenericNamespaceLister::GenericNamespaceLister(std::shared_ptr<const Indexer> indexer,
                                               api::GroupVersionResource resource,
                                               std::string namespace_)
    : indexer_(std::move(indexer)),
      resource_(std::move(resource)),
      in_namespace_(std::move(namespace_)) {}

std::vector<api::ObjectPtr> GenericNamespaceLister::list(const api::LabelSelector& selector) const {
  return list_all_by_namespace(*indexer_, in_namespace_, selector);
}

api::Result<api::ObjectPtr> GenericNamespaceLister::get(const std::string& name) const {
  return found(*indexer_, resource_, in_namespace_ + "/" + name);
}

GenericLister::GenericLister(std::shared_ptr<const Indexer> indexer,
                             api::GroupVersionResource resource)
    : indexer_(std::move(indexer)), resource_(std::move(resource)) {}

std::vector<api::ObjectPtr> GenericLister::list(const api::LabelSelector& selector) const {
  return list_all(*indexer_, selector);
}

api::Result<api::ObjectPtr> GenericLister::get(const std::string& key) const {
  return found(*indexer_, resource_, key);
}

GenericNamespaceLister GenericLister::by_namespace(std::string namespace_) const {
  return {indexer_, resource_, std::move(namespace_)};
}

}  // namespace watchlab::cache
