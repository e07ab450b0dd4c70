#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "core/watch/watch.hpp"
#include "sim/apiserver/object_filter.hpp"
#include "sim/apiserver/read_rules.hpp"
#include "sim/apiserver/watch_cache.hpp"

namespace watchlab::sim {

/// One event on its way to a client.
struct Frame {
  watch::Event event;
  runtime::TimePoint at;  ///< when the server could send it
};

/// Why a server ended a watch.
enum class WatchEnd : std::uint8_t {
  Open,        ///< it has not
  Timeout,     ///< timeoutSeconds have passed
  Failed,      ///< after an ERROR event
  SlowClient,  ///< the client did not read its events in time
  CacheReset,  ///< the server refills its watch cache
  Shutdown,    ///< the server shuts down
  Cancelled,   ///< the client has gone
};

[[nodiscard]] std::string_view to_string(WatchEnd end);

struct WatchCursorOptions {
  std::string api_version;  ///< for bookmark objects
  std::string kind;
  bool cached = true;  ///< false: history reaches to the compacted revision; no bookmarks
  bool bookmarks = false;
  runtime::Duration bookmark_period = std::chrono::seconds(60);
  /// Whether the mark follows the initial events directly, instead of coming with the next bookmark
  /// that has room.
  bool marks_at_once = true;
  runtime::TimePoint deadline;
  std::size_t queue_max = 100;  ///< live events that may wait for the client
  runtime::Duration slow_budget = std::chrono::milliseconds(100);
};

/// The server's side of one watch: decides which events the client gets, in which form and order,
/// and when the watch ends. Its server feeds it with the collection's changes, and the carrier of
/// frames to the client empties it. Pure: time is a parameter.
///
/// Live events have strictly increasing revisions after the start; the synthetic ADDED events at
/// the start are in key order. No event is sent twice.
class WatchCursor {
 public:
  WatchCursor(WatchPlan plan, ObjectFilter filter, WatchCursorOptions options);

  /// Starts from the cache, or waits, at most three seconds, until the cache has come far enough.
  /// `needed` is the store's current revision, `oldest` the first revision that can still be
  /// served.
  void open(const WatchCache& cache, Revision store_revision, runtime::TimePoint now);
  /// The cache has moved on; starts if it was waiting for that.
  void cache_moved(const WatchCache& cache, runtime::TimePoint now);
  /// Takes a change that the cache has just applied.
  void offer(const Change& change, runtime::TimePoint now);
  /// Ends the watch; waiting live events are lost, as on a closed connection.
  void end(WatchEnd why);
  /// Ends it after the waiting events.
  void end_behind_events(WatchEnd why);

  /// The next frame, if one can be sent now.
  [[nodiscard]] std::optional<Frame> take(const WatchCache& cache, runtime::TimePoint now);
  /// Open until the last frame was taken and the watch is over.
  [[nodiscard]] WatchEnd ended() const;
  /// When to poll again although nothing has happened; nothing once the watch has ended.
  [[nodiscard]] std::optional<runtime::TimePoint> next_wake() const;
  /// Frames that wait to be taken.
  [[nodiscard]] std::size_t waiting() const { return initial_.size() + live_.size(); }

 private:
  void begin(const WatchCache& cache, runtime::TimePoint now);
  void begin_with_snapshot(const WatchCache& cache, runtime::TimePoint now);
  void replay_window(const WatchCache& cache, runtime::TimePoint now);
  void fail(api::Status status, runtime::TimePoint now);
  void schedule_bookmark(runtime::TimePoint now);
  void offer_mark(Revision revision, runtime::TimePoint now);
  void evict();
  void pass_time(const WatchCache& cache, runtime::TimePoint now);
  [[nodiscard]] std::optional<watch::Event> event_for(const Change& change) const;
  [[nodiscard]] watch::Event bookmark(Revision revision, bool initial_end) const;

  WatchPlan plan_;
  ObjectFilter filter_;
  WatchCursorOptions options_;
  bool begun_ = false;
  Revision needed_ = 0;  // the cache must reach this before the watch starts
  runtime::TimePoint give_up_;
  Revision begun_at_ = 0;  // the client's revision at the start
  Revision seen_ = 0;      // changes at or before it are skipped
  std::deque<Frame> initial_;
  std::deque<Frame> live_;
  std::optional<runtime::TimePoint> next_bookmark_;
  std::optional<runtime::TimePoint> evict_at_;
  // When to offer the next bookmark to a watch that has received none since its initial events.
  std::optional<runtime::TimePoint> mark_at_;
  bool mark_received_ = false;              // one has been taken into `live_`
  std::optional<std::size_t> mark_behind_;  // how many frames are before the mark, if it waits
  WatchEnd end_ = WatchEnd::Open;
};

}  // namespace watchlab::sim
