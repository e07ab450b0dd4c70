#include "core/api/object.hpp"

namespace watchlab::api {

std::string key_of(const ObjectMeta& metadata) {
  if (metadata.namespace_.empty()) {
    return metadata.name;
  }
  const std::size_t slash = metadata.namespace_.size();
  std::string key(slash + 1 + metadata.name.size(), '/');
  metadata.namespace_.copy(key.data(), slash);
  metadata.name.copy(key.data() + slash + 1, metadata.name.size());
  return key;
}

}  // namespace watchlab::api
