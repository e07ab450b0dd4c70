#include "core/cache/queue.hpp"

#include <fmt/format.h>

#include <array>
#include <unordered_map>
#include <unordered_set>

namespace watchlab::cache {

namespace {

TombstonePtr tombstone_of(const std::string& key, api::ObjectPtr last) {
  return std::make_shared<const DeletedFinalStateUnknown>(
      DeletedFinalStateUnknown{.key = key, .object = std::move(last)});
}

}  // namespace

std::string_view to_string(DeltaType type) {
  static constexpr std::array<std::string_view, 8> kNames{
      "Added", "Updated", "Deleted", "Replaced", "Sync", "ReplacedAll", "SyncAll", "Bookmark"};
  return kNames.at(static_cast<std::size_t>(type));
}

const Delta* oldest(const Deltas& deltas) { return deltas.empty() ? nullptr : &deltas.front(); }

const Delta* newest(const Deltas& deltas) { return deltas.empty() ? nullptr : &deltas.back(); }

std::string types_of(const Deltas& deltas) {
  std::string types;
  for (const Delta& delta : deltas) {
    types.append(types.empty() ? "" : " ").append(to_string(delta.type));
  }
  return types;
}

api::Error fifo_closed() {
  return {.kind = api::ErrorKind::Closed, .message = "the queue is closed"};
}

api::Error could_not_enqueue(const api::Error& cause) {
  return {.kind = cause.kind,
          .message = "could not enqueue an object: " + cause.message,
          .status = cause.status};
}

/// A tombstone brings its key along: it may have no state.
api::Result<std::string> queue_key_of(const KeyFunction& key_function, const Item& item) {
  return is_tombstone(item) ? deletion_handling_meta_namespace_key(item)
                            : key_for(key_function, item);
}

api::Result<std::vector<TombstonePtr>> tombstones_of(runtime::Runtime& runtime,
                                                     const Replacement& replacement) {
  std::unordered_set<std::string> listed;
  for (const api::ObjectPtr& item : replacement.items) {
    api::Result<std::string> key = queue_key_of(replacement.key_function, item);
    if (!key) {
      return key.error();
    }
    listed.insert(std::move(key).value());
  }
  std::vector<std::string> queued_keys;  // in the order in which they came first
  std::unordered_map<std::string, const Delta*> last_queued;
  for (const Delta& delta : replacement.queued) {
    api::Result<std::string> key = queue_key_of(replacement.key_function, delta.object);
    if (!key) {
      return key.error();
    }
    if (last_queued.insert_or_assign(*key, &delta).second) {
      queued_keys.push_back(std::move(key).value());
    }
  }
  std::vector<TombstonePtr> tombstones;
  for (const std::string& key : queued_keys) {
    const Delta& last = *last_queued.at(key);
    // A deletion that is queued already needs no second one.
    if (!listed.contains(key) && last.type != DeltaType::Deleted) {
      tombstones.push_back(tombstone_of(key, object_of(last.object)));
    }
  }
  for (const std::string& key : replacement.known.list_keys()) {
    if (listed.contains(key) || last_queued.contains(key)) {
      continue;
    }
    api::ObjectPtr last = replacement.known.get_by_key(key);
    if (last == nullptr) {
      runtime.log(runtime::LogLevel::Error, key + " is known no more; its tombstone has no object");
    }
    tombstones.push_back(tombstone_of(key, std::move(last)));
  }
  return tombstones;
}

void SlowPopTrace::finish(runtime::Duration allowed) const {
  if (!started_) {
    return;
  }
  const runtime::Duration took = runtime_.now() - *started_;
  if (took > allowed) {
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(took);
    runtime_.log(runtime::LogLevel::Warning,
                 fmt::format("{}: {} took {} ms to process, with {} more in the queue", queue_,
                             key_, milliseconds.count(), depth_));
  }
}

}  // namespace watchlab::cache
