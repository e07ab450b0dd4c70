#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/cache/indexer.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/shared_mutex.hpp"

namespace watchlab::cache {

/// Objects by explicit keys, with indices, behind one readers-writer lock. Indices change within
/// the same write lock as the objects, so no reader sees one without the other. Any task may call
/// any function. Mirrors client-go tools/cache/thread_safe_store.go, ThreadSafeStore.
///
/// An index function that fails in `add`, `update` or `replace` panics.
/// Differs from client-go: the store is then as it was before the call; the original keeps the
/// object and loses the index entry.
class ThreadSafeStore {
 public:
  using KeyedObject = std::pair<std::string, api::ObjectPtr>;

  ThreadSafeStore(runtime::Runtime& runtime, const Indexers& indexers);
  /// The same, and reports its revision there.
  ThreadSafeStore(runtime::Runtime& runtime, const Indexers& indexers,
                  std::shared_ptr<StoreMetrics> metrics);
  ~ThreadSafeStore();

  /// Stores the object under the key, in place of what was there.
  void add(const std::string& key, const api::ObjectPtr& object);
  /// The same as `add`.
  void update(const std::string& key, const api::ObjectPtr& object);
  /// Removes nothing when the key is absent. The revision becomes that of the deleted object
  /// `last`, and stays without one.
  void remove(const std::string& key);
  void remove(const std::string& key, const api::Object& last);
  /// Puts these in place, or takes away where the object is null, without anybody seeing some only.
  /// The revision becomes `version`, or stays when that is nothing.
  void change(const std::vector<KeyedObject>& changes, const std::optional<std::string>& version);
  /// Null when there is none.
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const;
  /// Everything, in no promised order: the outside chooses one, since Go's maps have none.
  [[nodiscard]] std::vector<api::ObjectPtr> list() const;
  [[nodiscard]] std::vector<std::string> list_keys() const;
  /// Exactly these objects remain; of two with one key the later. Rebuilds the indices. The
  /// revision becomes `version`.
  void replace(const std::vector<KeyedObject>& objects, const std::string& version);

  /// The revision: that of the last change, list or bookmark, taken as it was given.
  [[nodiscard]] std::string version() const;
  void set_version(const std::string& version);

  /// The index functions of `Indexer`; see there.
  [[nodiscard]] api::Result<std::vector<api::ObjectPtr>> index(const std::string& index_name,
                                                               const api::ObjectPtr& object) const;
  [[nodiscard]] api::Result<std::vector<std::string>> index_keys(const std::string& index_name,
                                                                 const std::string& value) const;
  [[nodiscard]] api::Result<std::vector<api::ObjectPtr>> by_index(const std::string& index_name,
                                                                  const std::string& value) const;
  [[nodiscard]] std::vector<std::string> list_index_function_values(
      const std::string& index_name) const;
  [[nodiscard]] Indexers get_indexers() const;
  api::Result<void> add_indexers(const Indexers& indexers);

 private:
  class Table;
  using ValuesToFind =
      std::function<api::Result<std::vector<std::string>>(const IndexFunction& values_of)>;

  void reach(Table& table, const std::string& version) const;
  void check_table() const;
  template <typename Read>
  auto read_table(Read read) const;
  [[nodiscard]] api::Result<std::vector<api::ObjectPtr>> objects_with_any(
      const std::string& index_name, const ValuesToFind& values_to_find,
      std::string_view what) const;

  runtime::Runtime& runtime_;
  std::shared_ptr<StoreMetrics> metrics_;  ///< or none
  mutable runtime::SharedMutex mutex_;
  runtime::Shared<std::unique_ptr<Table>> table_;
};

}  // namespace watchlab::cache
