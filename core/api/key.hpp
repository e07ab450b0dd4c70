#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace watchlab::api {

/// "namespace/name", or "name" when the namespace is "": the key of an object that need not be at
/// hand. `key_of` (core/api/object.hpp) is this for one that is.
[[nodiscard]] inline std::string key_from(std::string_view namespace_name, std::string_view name) {
  if (namespace_name.empty()) {
    return std::string(name);
  }
  const std::size_t size = namespace_name.size() + 1 + name.size();
  // Put together where there is room already: three calls that make a string longer take twice the
  // time, and keys are made all the time.
  std::array<char, 64> room;
  if (size > room.size()) {
    return std::string(namespace_name).append(1, '/').append(name);
  }
  namespace_name.copy(room.data(), namespace_name.size());
  room[namespace_name.size()] = '/';
  name.copy(room.data() + namespace_name.size() + 1, name.size());
  return std::string(room.data(), size);
}

}  // namespace watchlab::api
