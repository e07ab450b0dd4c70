#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/cache/indexer.hpp"
#include "core/cache/thread_safe_store.hpp"

namespace watchlab::cache {

/// Optional features of a `Cache`. Mirrors the options of client-go tools/cache/store.go, NewStore.
struct CacheOptions {
  /// Transforms each object before it is stored; keys are computed from the original object. An
  /// object is not stored if the transformer fails or returns null; client-go stores whatever it
  /// gets. Transactions and removals do not transform. Since 0.34.
  TransformFunction transformer{};
  /// Whether `last_store_sync_resource_version` works, as with atomic events since 0.36.
  bool keeps_version = false;
  std::shared_ptr<StoreMetrics> metrics{};  ///< for its revision; may be null
};

/// The store that informers fill: a `ThreadSafeStore` with keys from a key function. Any task may
/// call any function. Mirrors client-go tools/cache/store.go, cache, as made by NewStore and
/// NewIndexer.
///
/// Differs from client-go: it holds only objects, so it refuses a tombstone even if the key
/// function accepts it. `remove` accepts one.
class Cache : public Indexer, public TransactionStore {
 public:
  explicit Cache(runtime::Runtime& runtime, KeyFunction key_function = meta_namespace_key,
                 const Indexers& indexers = {}, CacheOptions options = {});

  api::Result<void> add(const Item& item) override;
  api::Result<void> update(const Item& item) override;
  api::Result<void> remove(const Item& item) override;
  /// If one of the objects has no key, nothing is replaced.
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
