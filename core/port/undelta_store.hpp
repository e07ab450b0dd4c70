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
/// pushes may tell the same, and a later push may tell an older state; nothing is told when nothing
/// could be changed. Reading pushes nothing.
class UndeltaStore final : public Store {
 public:
  /// Gets the whole content. Called by the task that made the change, under no lock.
  using PushFunction = std::function<void(const std::vector<api::ObjectPtr>& objects)>;

  UndeltaStore(runtime::Runtime& runtime, PushFunction push,
               KeyFunction key_function = meta_namespace_key);

  api::Result<void> add(const Item& item) override;
  api::Result<void> update(const Item& item) override;
  api::Result<void> remove(const Item& item) override;
  api::Result<void> replace(std::span<const api::ObjectPtr> items,
                            const std::string& resource_version) override;
  /// Does nothing, and pushes nothing.
  api::Result<void> resync() override;

  [[nodiscard]] std::vector<api::ObjectPtr> list() const override;
  [[nodiscard]] std::vector<std::string> list_keys() const override;
  [[nodiscard]] api::Result<api::ObjectPtr> get(const Item& item) const override;
  [[nodiscard]] api::ObjectPtr get_by_key(const std::string& key) const override;

 private:
  api::Result<void> push_after(api::Result<void> change);

  Cache store_;
  PushFunction push_;
};

}  // namespace watchlab::cache
