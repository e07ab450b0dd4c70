#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace watchlab::api {

/// The labels or the annotations of an object: texts by key, each key once, always sorted by key.
/// To be used as the `std::map` of texts that it stands for, and made for what objects have, which
/// is few labels each, and many objects: it lies in one piece of memory and takes half of a map's.
/// Every change may move what it holds: iterators and references do not outlive it. Not
/// synchronised.
class Labels {
 public:
  using value_type = std::pair<std::string, std::string>;  ///< key and text
  using const_iterator = std::vector<value_type>::const_iterator;

  Labels() = default;
  /// Of two entries with one key, the first counts.
  Labels(std::initializer_list<value_type> entries);

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// In the order of the keys.
  [[nodiscard]] const_iterator begin() const { return entries_.begin(); }
  [[nodiscard]] const_iterator end() const { return entries_.end(); }
  /// `end()` when there is none.
  [[nodiscard]] const_iterator find(std::string_view key) const;
  [[nodiscard]] bool contains(std::string_view key) const { return find(key) != end(); }
  /// The text under a key that is there; it is a bug to ask for another.
  [[nodiscard]] const std::string& at(std::string_view key) const;

  /// The text under the key, to be changed; empty when the key is new.
  std::string& operator[](std::string_view key);
  /// False when there was none.
  bool erase(std::string_view key);
  void clear() { entries_.clear(); }
  /// Makes room for so many, so that adding them moves nothing.
  void reserve(std::size_t size) { entries_.reserve(size); }

  bool operator==(const Labels&) const = default;

 private:
  std::vector<value_type> entries_;
};

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

/// Makes it one that is shared. As `std::make_shared`, and the count of references lies apart: the
/// counts of many objects lie next to each other then, so that a store of 100,000 objects that
/// hands some out touches what fits into a processor's cache, and none of the objects.
[[nodiscard]] inline ObjectPtr share(Object object) {
  return ObjectPtr(new Object(std::move(object)));
}

/// "namespace/name", or "name" for cluster-wide objects.
[[nodiscard]] std::string key_of(const ObjectMeta& metadata);

}  // namespace watchlab::api
