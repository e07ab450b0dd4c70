#pragma once

#include <span>
#include <string>

#include "core/api/result.hpp"
#include "core/cache/item.hpp"

namespace watchlab::cache {

/// What a reflector writes into: a store or a queue. Mirrors client-go tools/cache/reflector.go,
/// ReflectorStore. Any task may call any function.
class ReflectorStore {
 public:
  ReflectorStore() = default;
  ReflectorStore(const ReflectorStore&) = delete;
  ReflectorStore& operator=(const ReflectorStore&) = delete;
  virtual ~ReflectorStore() = default;

  /// What the watch, or whoever writes, says of one object. All three fail where an item has no key
  /// and change nothing then; a store takes an `add` of what it has and an `update` of what it has
  /// not alike.
  virtual api::Result<void> add(const Item& item) = 0;
  virtual api::Result<void> update(const Item& item) = 0;
  virtual api::Result<void> remove(const Item& item) = 0;
  /// Takes `items` as the whole truth at `resource_version`.
  virtual api::Result<void> replace(std::span<const api::ObjectPtr> items,
                                    const std::string& resource_version) = 0;
  /// Tells the consumers again what they should know already; nothing to do for a plain store.
  virtual api::Result<void> resync() = 0;
};

}  // namespace watchlab::cache
