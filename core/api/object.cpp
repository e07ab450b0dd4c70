#include "core/api/object.hpp"

namespace watchlab::api {

std::string key_of(const ObjectMeta& metadata) {
  if (metadata.namespace_.empty()) {
    return metadata.name;
  }
  std::string key;
  key.reserve(metadata.namespace_.size() + 1 + metadata.name.size());
  key.append(metadata.namespace_).append(1, '/').append(metadata.name);
  return key;
}

}  // namespace watchlab::api
