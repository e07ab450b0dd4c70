#pragma once

#include <chrono>
#include <list>
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
};

/// A view of a store that already shows what this program wrote itself and the watch has not
/// brought yet. Of two states of one object the one with the greater resource version is shown; the
/// versions must be decimal numbers, or it panics. Own writes are remembered for their time to
/// live, and at most a hundred of them; the one not used for longest goes first. Any task may call
/// any function. Mirrors client-go tools/cache/mutation_cache.go,
/// NewIntegerResourceVersionMutationCache, as of 0.32.
///
/// It cannot know of deletions: with `include_adds`, an object that was written here and then
/// deleted stays visible until its time is up.
class MutationCache {
 public:
  MutationCache(runtime::Runtime& runtime, MutationCacheOptions options);

  /// Null when there is none.
  [[nodiscard]] api::ObjectPtr get_by_key(const std::string& key);
  /// In no promised order.
  [[nodiscard]] api::Result<std::vector<api::ObjectPtr>> by_index(const std::string& index_name,
                                                                  const std::string& value);
  /// Remembers what the server answered to an own write, unless something newer is remembered.
  void mutation(const api::ObjectPtr& written);

 private:
  struct Entry {
    std::string key;
    api::ObjectPtr object;
    runtime::TimePoint expires_at;
  };
  /// The own writes, the last used first. Guarded by the lock.
  struct State {
    std::list<Entry> entries;
    std::unordered_map<std::string, std::list<Entry>::iterator> by_key;
  };

  [[nodiscard]] api::ObjectPtr remembered(const std::string& key);
  [[nodiscard]] api::ObjectPtr newer(const std::string& key, const api::ObjectPtr& backing);
  void forget(const std::string& key);
  /// Appends the own writes with that value that the backing store does not have.
  api::Result<void> append_adds(const IndexFunction& index_function, const std::string& value,
                                std::vector<api::ObjectPtr>& objects);

  runtime::Runtime& runtime_;
  MutationCacheOptions options_;
  runtime::Mutex mutex_;
  runtime::Shared<State> state_;
};

}  // namespace watchlab::cache
