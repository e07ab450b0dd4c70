#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/cache/indexer.hpp"
#include "core/cache/thread_safe_store.hpp"

namespace watchlab::cache {

/// What a `Cache` can do beside. Mirrors the options of client-go tools/cache/store.go, NewStore.
struct CacheOptions {
  /// Changes each object before it is stored; keys come from what was given. A failure keeps it
  /// out, and so does no object; the original stores whatever it is given. A transaction does not
  /// transform, nor does a removal. Since 0.34.
  TransformFunction transformer{};
  /// Whether `last_store_sync_resource_version` answers, as with atomic events since 0.36.
  bool keeps_version = false;
  std::shared_ptr<StoreMetrics> metrics{};  ///< of its revision, whatever it keeps; or none
};

/// The store that informers fill: a `ThreadSafeStore` whose keys come from a key function. Any task
/// may call any function. Mirrors client-go tools/cache/store.go, cache; made with NewStore and
/// NewIndexer there.
///
/// Differs from client-go: it holds objects only, so a tombstone is refused even when the key
/// function gives a key for it; `remove` takes one.
class Cache : public Indexer, public TransactionStore {
 public:
  explicit Cache(runtime::Runtime& runtime, KeyFunction key_function = meta_namespace_key,
                 const Indexers& indexers = {}, CacheOptions options = {});

  api::Result<void> add(const Item& item) override;
  api::Result<void> update(const Item& item) override;
  api::Result<void> remove(const Item& item) override;
  /// Nothing is replaced when one of the objects has no key.
  api::Result<void> replace(std::span<const api::ObjectPtr> items,
                            const std::string& resource_version) override;
  /// Does nothing.
  api::Result<void> resync() override;
  void bookmark(const std::string& resource_version) override;
  [[nodiscard]] std::string last_store_sync_resource_version() const override;
  [[nodiscard]] std::optional<TransactionError> transaction(
      std::span<const Transaction> changes) override;

  [[nodiscard]] std::vector<api::ObjectPtr> list() const override;
  [[nodiscard]] std::vector<std::string> list_keys() const override;
  [[nodiscard]] api::Result<api::ObjectPtr> get(const Item& item) const override;
  [[nodiscard]] api::ObjectPtr get_by_key(const std::string& key) const override;

  [[nodiscard]] api::Result<std::vector<api::ObjectPtr>> index(
      const std::string& index_name, const api::ObjectPtr& object) const override;
  [[nodiscard]] api::Result<std::vector<std::string>> index_keys(
      const std::string& index_name, const std::string& value) const override;
  [[nodiscard]] api::Result<std::vector<api::ObjectPtr>> by_index(
      const std::string& index_name, const std::string& value) const override;
  [[nodiscard]] std::vector<std::string> list_index_function_values(
      const std::string& index_name) const override;
  [[nodiscard]] Indexers get_indexers() const override;
  api::Result<void> add_indexers(const Indexers& indexers) override;

 private:
  [[nodiscard]] api::Result<api::ObjectPtr> transformed(const api::ObjectPtr& object) const;

  KeyFunction key_function_;
  CacheOptions options_;
  ThreadSafeStore storage_;
};

}  // namespace watchlab::cache
