#include "core/port/mutation_cache.hpp"

#include <algorithm>
#include <charconv>
#include <ranges>
#include <utility>

#include "core/cache/store.hpp"

namespace watchlab::cache {
namespace {

std::uint64_t version_of(const api::Object& object) {
  const std::string& text = object.metadata.resource_version;
  std::uint64_t version = 0;
  if (text.empty()) {
    return version;
  }
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, version);
  if (error != std::errc() || end != last) {
    throw runtime::Panic("the resource version \"" + text + "\" is no number");
  }
  return version;
}

bool is_older(const api::ObjectPtr& left, const api::ObjectPtr& right) {
  return version_of(*left) < version_of(*right);
}

}  // namespace

MutationCache::MutationCache(runtime::Runtime& runtime, MutationCacheOptions options)
    : runtime_(runtime),
      options_(options),
      mutex_(runtime, "mutation_cache"),
      state_(runtime, State{}, "mutation_cache") {}

/// What is asked for counts as used, as in the original's LRU cache: the entry goes to the front.
const MutationCache::Entry* MutationCache::find(const std::string& key) {
  State& state = state_.write();
  const auto found = state.by_key.find(key);
  if (found == state.by_key.end()) {
    return nullptr;
  }
  if (runtime_.now() > found->second->expires_at) {
    forget(key);
    return nullptr;
  }
  state.entries.splice(state.entries.begin(), state.entries, found->second);
  return &*found->second;
}

api::ObjectPtr MutationCache::remembered(const std::string& key) {
  const Entry* const entry = find(key);
  return entry == nullptr || entry->is_deletion ? nullptr : entry->object;
}

void MutationCache::remember(const std::string& key, const api::ObjectPtr& object,
                             bool is_deletion) {
  forget(key);
  State& state = state_.write();
  state.entries.push_front({.key = key,
                            .object = object,
                            .expires_at = runtime_.now() + options_.time_to_live,
                            .is_deletion = is_deletion});
  state.by_key[key] = state.entries.begin();
  if (state.entries.size() > options_.entries_max) {
    const std::string oldest = state.entries.back().key;
    forget(oldest);
  }
}

void MutationCache::forget(const std::string& key) {
  State& state = state_.write();
  const auto found = state.by_key.find(key);
  if (found != state.by_key.end()) {
    state.entries.erase(found->second);
    state.by_key.erase(found);
  }
}

/// Mirrors client-go newerObject. Versions are compared as numbers, which the API forbids to
/// clients in general; the original does so here.
api::ObjectPtr MutationCache::newer(const std::string& key, const api::ObjectPtr& backing) {
  const Entry* const own = find(key);
  if (own == nullptr) {
    return backing;
  }
  if (is_older(backing, own->object)) {
    // Differs from client-go: a backing store that is behind a deletion shows its object; the
    // original's answer is then the deletion itself, an object without content.
    return own->is_deletion ? backing : own->object;
  }
  forget(key);  // the watch has caught up
  return backing;
}

api::ObjectPtr MutationCache::get_by_key(const std::string& key) {
  const runtime::Lock lock(mutex_);
  const api::ObjectPtr backing = options_.backing->get_by_key(key);
  if (backing != nullptr) {
    return newer(key, backing);
  }
  return options_.include_adds ? remembered(key) : nullptr;
}

api::Result<std::vector<api::ObjectPtr>> MutationCache::by_index(const std::string& index_name,
                                                                 const std::string& value) {
  const runtime::Lock lock(mutex_);
  if (options_.indexer == nullptr) {
    return api::Error{.message = "the mutation cache was given no indexer"};
  }
  const api::Result<std::vector<std::string>> keys =
      options_.indexer->index_keys(index_name, value);
  if (!keys) {
    return keys.error();
  }
  std::vector<api::ObjectPtr> objects;
  std::set<std::string> shown;
  for (const std::string& key : *keys) {
    if (const api::ObjectPtr backing = options_.indexer->get_by_key(key)) {
      objects.push_back(newer(key, backing));
      shown.insert(key);
    }
  }
  if (options_.include_adds) {
    const Indexers indexers = options_.indexer->get_indexers();
    if (const auto found = indexers.find(index_name); found != indexers.end()) {
      append_adds(found->second, value, shown, objects);
    }
  }
  return in_visiting_order(runtime_, std::move(objects), "by_index");
}

/// Each look makes an entry the last used one; from the longest unused to the last used, all of
/// them keep their order.
void MutationCache::append_adds(const IndexFunction& index_function, const std::string& value,
                                const std::set<std::string>& shown,
                                std::vector<api::ObjectPtr>& objects) {
  std::vector<std::string> own_keys;
  for (const Entry& entry : state_.read().entries | std::views::reverse) {
    own_keys.push_back(entry.key);
  }
  for (const std::string& key : own_keys) {
    const api::ObjectPtr own = remembered(key);
    if (own == nullptr || shown.contains(key)) {
      continue;
    }
    const api::Result<std::vector<std::string>> values = index_function(own);
    if (!values) {
      runtime_.log(runtime::LogLevel::Debug,
                   "the own write of " + key + " has no index value: " + values.error().message);
      continue;
    }
    if (std::ranges::find(*values, value) != values->end()) {
      objects.push_back(own);
    }
  }
}

/// Mirrors client-go Mutation: an older write never takes the place of a newer one, nor one of an
/// object that is known to be deleted that of its deletion.
void MutationCache::mutation(const api::ObjectPtr& written) {
  const runtime::Lock lock(mutex_);
  const api::Result<std::string> key = deletion_handling_meta_namespace_key(written);
  if (!key) {
    runtime_.log(runtime::LogLevel::Error, "a write was not remembered: " + key.error().message);
    return;
  }
  if (const Entry* const own = find(*key); own != nullptr) {
    const bool is_of_the_deleted =
        own->is_deletion && (version_of(*written) == version_of(*own->object) ||
                             written->metadata.uid == own->object->metadata.uid);
    if (is_older(written, own->object) || is_of_the_deleted) {
      return;
    }
  }
  remember(*key, written, false);
}

void MutationCache::on_add_or_update(const api::ObjectPtr& object) {
  const runtime::Lock lock(mutex_);
  const api::Result<std::string> key = deletion_handling_meta_namespace_key(object);
  const Entry* const own = key ? find(*key) : nullptr;
  if (own != nullptr && !is_older(object, own->object)) {
    forget(*key);
  }
}

/// Mirrors client-go OnDelete. A newer write under the same name stays: it is of a successor.
void MutationCache::on_delete(const Item& item) {
  const runtime::Lock lock(mutex_);
  const api::Result<std::string> key = deletion_handling_meta_namespace_key(item);
  const api::ObjectPtr object = object_of(item);
  if (!key || object == nullptr) {
    return;
  }
  if (const Entry* const own = find(*key); own != nullptr && is_older(object, own->object) &&
                                           object->metadata.uid != own->object->metadata.uid) {
    return;
  }
  remember(*key, object, true);
}

}  // namespace watchlab::cache
