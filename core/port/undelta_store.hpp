#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/cache/cache.hpp"

namespace watchlab::cache {

/// A store that pushes its complete contents after each change, for consumers that want states
/// instead of changes. Any task may call any function. Mirrors client-go
/// tools/cache/undelta_store.go, UndeltaStore.
///
/// The list is taken after the change and outside its lock. So two concurrent changes may both push
/// the same list, or the later push an older one. Nothing is pushed if nothing could be changed.
/// Reading pushes nothing.
class UndeltaStore final : public Cache {
 public:
  /// Receives the complete contents. Called by the task that made the change, without a lock.
  using PushFunction = std::function<void(const std::vector<api::ObjectPtr>& objects)>;

  UndeltaStore(runtime::Runtime& runtime, PushFunction push,
               KeyFunction key_function = meta_namespace_key);

  api::Result<void> update(const Item& item) override;
  api::Result<void> remove(const Item& item) override;
  api::Result<void> replace(std::span<const api::ObjectPtr> items,
                            const std::string& resource_version) override;

 private:
  api::Result<void> push_after(api::Result<void> change);

  PushFunction push_;
};

}  // namespace watchlab::cache
