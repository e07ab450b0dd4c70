#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/cache/cache.hpp"

namespace watchlab::cache {

/// A store that reports, after each change, everything it holds: for consumers that want states,
/// not changes. Any task may call any function. Mirrors client-go tools/cache/undelta_store.go,
/// UndeltaStore.
///
/// The list is taken after the change and outside of its lock. So of two changes at once both
/// pushes may report the same, and a later push an older state; nothing is pushed when nothing
/// could be changed. Reading pushes nothing.
class UndeltaStore final : public Cache {
 public:
  /// Gets the whole content. Called by the task that made the change, under no lock.
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
