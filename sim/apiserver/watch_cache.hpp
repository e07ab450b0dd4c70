#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "sim/apiserver/object_store.hpp"

namespace watchlab::sim {

/// How much history a watch cache keeps. Mirrors the API server's automatic sizing.
struct WatchWindowOptions {
  std::size_t capacity_min = 100;
  std::size_t capacity_max = 102'400;  ///< equal to the minimum for a window of fixed size
  /// The window grows while its oldest change is younger than this.
  runtime::Duration freshness = std::chrono::seconds(75);
};

/// One API server's copy of one collection: its objects as of `revision()`, and a window of the
/// last changes, from which watches start. The window is a circular buffer: it doubles when it is
/// full of recent changes and halves when it is full of old ones. Pure; one caller at a time.
///
/// A watch can start at a revision iff that is at least `oldest() - 1`.
class WatchCache {
 public:
  explicit WatchCache(WatchWindowOptions options = {})
      : options_(options), capacity_(options.capacity_min) {}

  /// Refills the cache, as after a restart; the window is then empty. `objects` are all objects at
  /// `revision`.
  void relist(const std::vector<api::ObjectPtr>& objects, Revision revision);
  /// Applies the next change of this collection. Revisions must increase.
  void apply(const Change& change, runtime::TimePoint now);
  /// Learns that nothing else happened up to `revision`: a progress notification. Never goes back.
  void advance(Revision revision);
  /// Drops all changes before `revision` from the window, as if they had been evicted.
  void expire_below(Revision revision);

  /// The revision that this cache has reached.
  [[nodiscard]] Revision revision() const { return revision_; }
  /// The oldest revision that can still be a watch's first event.
  [[nodiscard]] Revision oldest() const { return oldest_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::size_t window_size() const { return window_.size(); }
  /// The objects in key order.
  [[nodiscard]] const std::map<std::string, api::ObjectPtr>& objects() const { return objects_; }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const;
  /// The changes after `revision` that are still in the window, oldest first.
  [[nodiscard]] std::vector<Change> changes_after(Revision revision) const;

 private:
  bool make_room(runtime::TimePoint now);  // true if it evicted changes

  WatchWindowOptions options_;
  std::size_t capacity_;
  Revision revision_ = 0;
  Revision oldest_ = 1;
  std::map<std::string, api::ObjectPtr> objects_;
  std::deque<Change> window_;
};

}  // namespace watchlab::sim
