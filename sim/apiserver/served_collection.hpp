#pragma once

#include <map>
#include <vector>

#include "sim/apiserver/request.hpp"
#include "sim/apiserver/resource_type.hpp"
#include "sim/apiserver/watch_cursor.hpp"

namespace watchlab::sim {

/// One collection as one API server serves it: its watch cache and the watches that are open on it.
/// Pure; one caller at a time.
class ServedCollection {
 public:
  ServedCollection(ResourceType type, WatchWindowOptions window);

  [[nodiscard]] const ResourceType& type() const { return type_; }
  [[nodiscard]] const WatchCache& cache() const { return cache_; }
  [[nodiscard]] const std::map<WatchId, WatchCursor>& watches() const { return watches_; }

  /// Fills the cache anew and ends all watches: they cannot know what was missed.
  void relist(const std::vector<api::ObjectPtr>& objects, Revision revision);
  /// Takes the next change and shows it to all watches.
  void apply(const Change& change, runtime::TimePoint now);
  /// Learns that nothing else happened up to `revision`.
  void advance(Revision revision, runtime::TimePoint now);
  void expire_below(Revision revision) { cache_.expire_below(revision); }

  void open(WatchId watch, WatchCursor cursor, Revision store_revision, runtime::TimePoint now);
  /// Null when there is no such watch.
  [[nodiscard]] WatchCursor* find(WatchId watch);
  void close(WatchId watch) { watches_.erase(watch); }
  void end_all(WatchEnd why);
  /// The collection goes away: all watches end behind what they have to send.
  void finish_all();
  /// The watches that have got something to send, or have ended, since the last call.
  /// They are put behind those of `woken`.
  void take_woken(std::vector<WatchId>& woken);

 private:
  ResourceType type_;
  WatchCache cache_;
  std::map<WatchId, WatchCursor> watches_;
  std::vector<WatchId> woken_;
};

}  // namespace watchlab::sim
