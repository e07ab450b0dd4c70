#pragma once

#include <string>

namespace watchlab::cache {

/// What a store implements besides `ReflectorStore` when it wants to know the revision the
/// reflector has reached, which bookmarks advance without any change of an object. Mirrors
/// client-go tools/cache/reflector.go, ResourceVersionUpdater.
class ResourceVersionUpdater {
 public:
  ResourceVersionUpdater() = default;
  ResourceVersionUpdater(const ResourceVersionUpdater&) = delete;
  ResourceVersionUpdater& operator=(const ResourceVersionUpdater&) = delete;
  virtual ~ResourceVersionUpdater() = default;

  /// Called by the reflector's task after each event of a watch, bookmarks included.
  virtual void update_resource_version(const std::string& resource_version) = 0;
};

}  // namespace watchlab::cache
