#include "core/api/object.hpp"

namespace watchlab::api {

std::string key_of(const ObjectMeta& metadata) {
  return key_from(metadata.namespace_, metadata.name);
}

}  // namespace watchlab::api
