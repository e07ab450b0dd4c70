#pragma once

#include <chrono>
#include <list>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/cache/indexer.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"

namespace watchlab::cache {

/// How a mutation cache stands beside its store.
struct MutationCacheOptions {
  /// What the informer fills. Must outlive the cache.
  const Store* backing = nullptr;
  /// The same store as an indexer, for `by_index`; null: `by_index` is an error.
  const Indexer* indexer = nullptr;
  /// How long an own write is remembered.
  runtime::Duration time_to_live = std::chrono::minutes(5);
  /// Whether own writes count also when the backing store does not have the object.
  bool include_adds = false;
  std::size_t entries_max = 100;  ///< of own writes and deletions that are remembered
};

/// A view of a store that already shows what this program wrote itself and the watch has not
/// brought yet. Of two states of one object the one with the greater resource version is shown; the
/// versions must be decimal numbers, or it panics. Own writes are remembered for their time to
/// live, and only so many of them; the one not used for longest goes first. Any task may call any
/// function. Mirrors client-go 0.37 tools/cache/mutation_cache.go,
/// NewIntegerResourceVersionMutationCache.
///
/// It knows of deletions only if the informer's handlers tell it by `on_add_or_update` and
/// `on_delete`. Otherwise, with `include_adds`, an object that was written here and then deleted
/// stays visible until its time is up, as before 0.37.
///
/// Taken early: an object that vanishes between the look at the index and that at the store is
/// shown in the state that was written here, as since 0.38.
class MutationCache {
 public:
  MutationCache(runtime::Runtime& runtime, MutationCacheOptions options);

  /// Null when there is none.
  [[nodiscard]] api::ObjectPtr get_by_key(const std::string& key);
  /// In no promised order. With `include_adds` an own write counts under its own values also where
  /// the store has the object under others; one whose values cannot be computed is left out.
  [[nodiscard]] api::Result<std::vector<api::ObjectPtr>> by_index(const std::string& index_name,
                                                                  const std::string& value);
  /// Remembers what the server answered to an own write, unless something newer is remembered.
  /// After a deletion that was seen: only of a successor, which is newer and has another uid.
  void mutation(const api::ObjectPtr& written);
  /// The informer has this state now: an own write or deletion that is no newer is forgotten.
  void on_add_or_update(const api::ObjectPtr& object);
  /// The informer has seen that deletion: an own write of that object, or an older one, is
  /// forgotten, and a late `mutation` does not bring it back.
  void on_delete(const Item& item);

 private:
  struct Entry {
    std::string key;
    api::ObjectPtr object;
    runtime::TimePoint expires_at;
    bool is_deletion = false;  ///< of the object
  };
  /// The own writes, the last used first. Guarded by the lock.
  struct State {
    std::list<Entry> entries;
    std::unordered_map<std::string, std::list<Entry>::iterator> by_key;
  };

  /// The entry, which counts as used then; null when there is none any more.
  [[nodiscard]] const Entry* find(const std::string& key);
  /// The own write; null for a deletion.
  [[nodiscard]] api::ObjectPtr remembered(const std::string& key);
  void remember(const std::string& key, const api::ObjectPtr& object, bool is_deletion);
  [[nodiscard]] api::ObjectPtr newer(const std::string& key, const api::ObjectPtr& backing);
  void forget(const std::string& key);
  /// Appends the own writes with that value whose keys are not among those shown already.
  void append_adds(const IndexFunction& index_function, const std::string& value,
                   const std::set<std::string>& shown, std::vector<api::ObjectPtr>& objects);

  runtime::Runtime& runtime_;
  MutationCacheOptions options_;
  runtime::Mutex mutex_;
  runtime::Shared<State> state_;
};

}  // namespace watchlab::cache
