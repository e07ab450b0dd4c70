#pragma once

#include <string>
#include <string_view>

namespace watchlab::api {

/// "namespace/name", or "name" when the namespace is "": the key of an object that need not be at
/// hand. `key_of` (core/api/object.hpp) is this for one that is.
[[nodiscard]] inline std::string key_from(std::string_view namespace_name, std::string_view name) {
  std::string key;
  if (namespace_name.empty()) {
    key = name;
    return key;
  }
  key.reserve(namespace_name.size() + 1 + name.size());
  key += namespace_name;
  key += '/';
  key += name;
  return key;
}

}  // namespace watchlab::api
