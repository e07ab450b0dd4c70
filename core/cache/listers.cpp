#include "core/cache/listers.hpp"

#include <utility>

namespace watchlab::cache {

namespace {

void append_matching(const std::vector<api::ObjectPtr>& objects, const api::LabelSelector& selector,
                     const AppendFunction& append) {
  for (const api::ObjectPtr& object : objects) {
    if (selector.is_everything() || selector.matches(object->metadata.labels)) {
      append(object);
    }
  }
}

api::Result<api::ObjectPtr> found_or_not(api::ObjectPtr object,
                                         const api::GroupVersionResource& resource,
                                         const std::string& name) {
  if (object != nullptr) {
    return object;
  }
  const std::string full_resource =
      resource.group.empty() ? resource.resource : resource.resource + "." + resource.group;
  api::Status status =
      api::failure(api::StatusReason::NotFound, full_resource + " \"" + name + "\" not found");
  status.details.name = name;
  status.details.group = resource.group;
  status.details.kind = resource.resource;
  return api::error_from(std::move(status));
}

}  // namespace

void list_all(const Store& store, const api::LabelSelector& selector,
              const AppendFunction& append) {
  if (selector.is_nothing()) {
    return;
  }
  append_matching(store.list(), selector, append);
}

void list_all_by_namespace(runtime::Runtime& runtime, const Indexer& indexer,
                           const std::string& namespace_name, const api::LabelSelector& selector,
                           const AppendFunction& append) {
  if (selector.is_nothing()) {
    return;
  }
  if (namespace_name.empty()) {
    list_all(indexer, selector, append);
    return;
  }
  const api::Result<std::vector<api::ObjectPtr>> indexed =
      indexer.by_index(std::string(kNamespaceIndex), namespace_name);
  if (indexed) {
    append_matching(*indexed, selector, append);
    return;
  }
  runtime.log(
      runtime::LogLevel::Warning,
      "cannot list by the index of namespaces, looking at everything: " + indexed.error().message);
  list_all(indexer, selector, [&](const api::ObjectPtr& object) {
    if (object->metadata.namespace_ == namespace_name) {
      append(object);
    }
  });
}

GenericNamespaceLister::GenericNamespaceLister(runtime::Runtime& runtime, const Indexer& indexer,
                                               api::GroupVersionResource resource,
                                               std::string namespace_name)
    : runtime_(runtime),
      indexer_(indexer),
      resource_(std::move(resource)),
      namespace_(std::move(namespace_name)) {}

std::vector<api::ObjectPtr> GenericNamespaceLister::list(const api::LabelSelector& selector) const {
  std::vector<api::ObjectPtr> objects;
  list_all_by_namespace(runtime_, indexer_, namespace_, selector,
                        [&](const api::ObjectPtr& object) { objects.push_back(object); });
  return objects;
}

api::Result<api::ObjectPtr> GenericNamespaceLister::get(const std::string& name) const {
  return found_or_not(indexer_.get_by_key(namespace_ + "/" + name), resource_, name);
}

GenericLister::GenericLister(runtime::Runtime& runtime, const Indexer& indexer,
                             api::GroupVersionResource resource)
    : runtime_(runtime), indexer_(indexer), resource_(std::move(resource)) {}

std::vector<api::ObjectPtr> GenericLister::list(const api::LabelSelector& selector) const {
  std::vector<api::ObjectPtr> objects;
  list_all(indexer_, selector, [&](const api::ObjectPtr& object) { objects.push_back(object); });
  return objects;
}

api::Result<api::ObjectPtr> GenericLister::get(const std::string& name) const {
  return found_or_not(indexer_.get_by_key(name), resource_, name);
}

GenericNamespaceLister GenericLister::by_namespace(std::string namespace_name) const {
  return {runtime_, indexer_, resource_, std::move(namespace_name)};
}

}  // namespace watchlab::cache
