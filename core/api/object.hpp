#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace watchlab::api {

/// Names a collection of objects: {"", "v1", "configmaps"}, {"apps", "v1", "deployments"}. Mirrors
/// apimachinery runtime/schema, GroupVersionResource. Compared and sorted by all three.
struct GroupVersionResource {
  std::string group;
  std::string version;
  std::string resource;

  auto operator<=>(const GroupVersionResource&) const = default;
};

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

/// The labels or the annotations of an object.
using Labels = std::map<std::string, std::string>;

/// The part of an object that all kinds share. Mirrors apimachinery meta/v1 ObjectMeta, as far as
/// list-watch code looks at it; times are RFC 3339 text as on the wire, "" where unset.
struct ObjectMeta {
  std::string name;
  std::string namespace_;  ///< "" for cluster-wide objects
  std::string generate_name;
  std::string uid;
  std::string resource_version;  ///< opaque; compare only for equality
  std::int64_t generation = 0;
  std::string creation_timestamp;
  std::string deletion_timestamp;
  Labels labels;
  Labels annotations;
  std::vector<std::string> finalizers;
  /// A JSON object with every member that is not above (owners, managed fields), "" when none.
  std::string other_members;

  bool operator==(const ObjectMeta&) const = default;
};

/// One API object of any kind. Its metadata is parsed, the rest stays JSON text and is parsed by
/// the code that needs it: a parsed tree would take three times the memory.
struct Object {
  std::string api_version;  ///< "v1", "apps/v1"
  std::string kind;         ///< "ConfigMap"
  ObjectMeta metadata;
  std::string body;  ///< a JSON object with every other top-level member; "" reads as "{}"

  bool operator==(const Object&) const = default;
};

/// Objects never change once they are shared; a change makes a new object.
using ObjectPtr = std::shared_ptr<const Object>;

/// Makes a shared object of it, for objects that are kept, and many. `std::make_shared` is as
/// correct, and takes more memory and time: this gives back what the JSON reserves, and allocates
/// the reference count apart from the object. The counts of many objects then lie next to each
/// other, so that a store of 100,000 objects that hands some out touches memory that fits into a
/// processor's cache, and none of the objects.
[[nodiscard]] ObjectPtr share(Object object);

/// "namespace/name", or "name" for cluster-wide objects.
[[nodiscard]] std::string key_of(const ObjectMeta& metadata);

}  // namespace watchlab::api
