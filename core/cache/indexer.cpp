#include "core/cache/indexer.hpp"

#include <utility>

namespace watchlab::cache {

api::Result<std::vector<std::string>> meta_namespace_index(const api::ObjectPtr& object) {
  if (object == nullptr) {
    return api::Error{.message = "a null object has no namespace"};
  }
  return std::vector<std::string>{object->metadata.namespace_};
}

KeyFunction key_function_from(IndexFunction index_function) {
  return [index_function =
              std::move(index_function)](const Item& item) -> api::Result<std::string> {
    if (const api::Result<void> is_object = check_is_object(item); !is_object) {
      return key_error(item, is_object.error());
    }
    api::Result<std::vector<std::string>> values = index_function(std::get<api::ObjectPtr>(item));
    if (!values) {
      return key_error(item, values.error());
    }
    if (values->size() != 1) {
      return key_error(item, {.message = "its index function gives " +
                                         std::to_string(values->size()) + " values, not one"});
    }
    return values->front();
  };
}

}  // namespace watchlab::cache
