#include "core/api/object.hpp"

namespace watchlab::api {

ObjectPtr share(Object object) {
  object.metadata.other_members.shrink_to_fit();
  object.body.shrink_to_fit();
  return ObjectPtr(new Object(std::move(object)));
}

std::string key_of(const ObjectMeta& metadata) {
  return key_from(metadata.namespace_, metadata.name);
}

}  // namespace watchlab::api
