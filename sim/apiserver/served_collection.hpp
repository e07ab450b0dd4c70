#pragma once

#include <map>
#include <vector>

#include "sim/apiserver/request.hpp"
#include "sim/apiserver/resource_type.hpp"
#include "sim/apiserver/watch_cursor.hpp"

namespace watchlab::sim {

/// One collection as one API server serves it: its watch cache and its open watches. Pure; one
/// caller at a time.
class ServedCollection {
 public:
  ServedCollection(ResourceType type, WatchWindowOptions window);

  [[nodiscard]] const ResourceType& type() const { return type_; }
  [[nodiscard]] const WatchCache& cache() const { return cache_; }
  [[nodiscard]] const std::map<WatchId, WatchCursor>& watches() const { return watches_; }

  /// Refills the cache and ends all watches, because they cannot know what was missed.
  void relist(const std::vector<api::ObjectPtr>& objects, Revision revision);
  /// Applies the next change and passes it to all watches.
  void apply(const Change& change, runtime::TimePoint now);
  /// Learns that nothing else happened up to `revision`.
  void advance(Revision revision, runtime::TimePoint now);
  void expire_below(Revision revision) { cache_.expire_below(revision); }

  void open(WatchId watch, WatchCursor cursor, Revision store_revision, runtime::TimePoint now);
  /// Null if there is no such watch.
  [[nodiscard]] WatchCursor* find(WatchId watch);
  void close(WatchId watch) { watches_.erase(watch); }
  void end_all(WatchEnd why);
  /// The collection goes away: all watches end after what they have to send.
  void finish_all();
  /// Appends to `woken` the watches that have something to send, or have ended, since the last
  /// call.
  void take_woken(std::vector<WatchId>& woken);

 private:
  ResourceType type_;
  WatchCache cache_;
  std::map<WatchId, WatchCursor> watches_;
  std::vector<WatchId> woken_;
};

}  // namespace watchlab::sim
