#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/cache/list_watch.hpp"
#include "core/cache/store.hpp"
#include "core/runtime/interface.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/runtime/time.hpp"
#include "core/wait/backoff.hpp"

namespace watchlab::cache {

/// A reflector's metrics: one object per reflector instead of seven metrics. Every function does
/// nothing unless overridden. The reflector's tasks call them; two can overlap after a stop (with
/// an abandoned list). They must not block. Mirrors client-go tools/cache/reflector_metrics.go,
/// MetricsProvider.
class ReflectorMetrics : public runtime::Interface {
 public:
  /// A list starts, however many pages it has.
  virtual void list_started() {}
  /// A list that was not abandoned has ended, successfully or not.
  virtual void list_ended(runtime::Duration /*took*/) {}
  /// A list succeeded and had this many items.
  virtual void items_listed(std::size_t /*items*/) {}
  /// A watch request is about to be sent.
  virtual void watch_started() {}
  /// A stream ended after this time, measured from before its request, with this many counted
  /// events.
  virtual void watch_ended(runtime::Duration /*took*/, std::size_t /*events*/) {}
  /// The stream that just ended was very short: no event within less than a second.
  virtual void watch_was_short() {}
  /// The reflector has reached this revision.
  virtual void reached(const std::string& /*resource_version*/) {}
};

class Reflector;

/// Receives the error that ended a cycle of a reflector. The reflector's own task calls it before
/// its pause, so a slow handler delays the next cycle. A cycle that ends without an error (a 410 in
/// the stream, a very short watch, a stop) is not reported. Mirrors client-go
/// tools/cache/reflector.go, WatchErrorHandler.
using WatchErrorHandler = std::function<void(Reflector& reflector, const api::Error& error)>;

/// What a reflector without an error handler does: logs the error, quietly if it is part of normal
/// operation (410, a clean end). Mirrors DefaultWatchErrorHandler.
void log_watch_error(runtime::Runtime& runtime, const std::string& type_description,
                     const api::Error& error);

/// What a reflector keeps in sync, and how. Mirrors client-go tools/cache/reflector.go,
/// ReflectorOptions and the fields that callers set.
struct ReflectorOptions {
  std::string name = "reflector";  ///< for notes and log lines
  /// The type that events must have; "" accepts any. An event with another type is logged and
  /// skipped. This includes bookmarks, so the server must send them with the type of the resource.
  std::string api_version;
  std::string kind;
  /// What log lines call the type; "" combines `api_version` and `kind`.
  std::string type_description;
  /// How long after a list, or after the previous resync, the store resyncs; zero for never.
  runtime::Duration resync_period{};
  /// Called at each resync tick; if empty, it always resyncs.
  std::function<bool()> should_resync;
  /// Watches ask the server for a timeout in [this, twice this). Anything below five minutes counts
  /// as five minutes.
  runtime::Duration min_watch_timeout{};
  /// The backoff of this reflector, not to be shared; null for 0.8 s doubling to 30 s, with jitter.
  std::shared_ptr<wait::BackoffManager> backoff;
  /// The page size of lists; 0 leaves it to the reflector (see `Reflector`).
  std::int64_t watch_list_page_size = 0;
  /// For how long internal errors in a stream are answered by a new watch at once; zero for never.
  runtime::Duration max_internal_error_retry_duration{};
  WatchErrorHandler watch_error_handler;  ///< if empty, logs
  /// Whether a cycle waits for its resync task before it ends, as since 0.33.
  bool joins_resync = false;
  /// Whether to request lists as the start of a watch, if the source can do that. On by default
  /// since 0.35 (gate WatchListClient).
  bool streams_lists = false;
  /// Whether the backoff, unless `backoff` is given, starts over every two minutes, as since 0.36,
  /// instead of after two minutes without a failure.
  bool resets_delay = false;
  /// Whether the initial events of a watch from "" or "0", which come in no particular order, leave
  /// the last revision unchanged, as since 0.36.
  bool ordered_versions = false;
  /// Whether to refuse Tables, which servers make for people to read: a list is then an error, and
  /// an event is skipped. Since 0.36. A streamed list always refuses them, as since 0.34.
  bool refuses_tables = false;
  /// Whether to compare each streamed list with a list at its revision before the store takes it; a
  /// difference panics. Mirrors KUBE_WATCHLIST_INCONSISTENCY_DETECTOR; see
  /// `check_data_consistency`.
  bool checks_consistency = false;
  std::shared_ptr<ReflectorMetrics> metrics;
};

/// Keeps a store equal to a resource of a server: one LIST, then WATCH from the list's revision,
/// and both again when that no longer works. Mirrors client-go 0.32 to 0.37
/// tools/cache/reflector.go, Reflector; the options say what of the later releases it does.
///
/// What always holds:
/// - Each cycle is LIST, replace, then WATCH as long as watching goes well. A stream that ends
///   normally is followed by a WATCH at the last revision: no list, no pause. Everything else ends
///   the cycle, and each end of a cycle, with or without error, costs one pause.
/// - A LIST asks for "0" (anything the server has) at first, later for the last revision. Only when
///   that is refused as expired or too large does it ask for "" (the latest), at once.
/// - Lists are paged by 500, except those for a definite revision, which a server answers from its
///   cache only as a whole; unless a server was seen to page a list for "0".
/// - A refused connection or 429 in answer to WATCH pauses and then tries the WATCH again; a 429 in
///   the stream too. A 410 in the stream ends the cycle.
/// - The last revision is advanced past an event even when the store refused it. That event is
///   lost until the next list. Without `ordered_versions` it is also advanced by the synthetic
///   events at the start of a watch from "" or "0", which come in no order (see
///   docs/known_live.md).
/// - With `streams_lists` each cycle first asks for a WATCH that begins with the list, from the
/// last
///   revision or from "" at first. What it sends is collected beside the store up to the mark of
///   its end, then the store takes it as one list, and the same stream is the watch that follows. A
///   refused connection and 429 pause, whatever stops meanwhile, and try again; a revision that is
///   refused is given up for "" at once; a stream that ends before the mark is asked for again at
///   once, however often (live in 0.37); after any other failure the cycle goes on with LIST.
///
/// The tasks it starts (one a list, one a cycle for resyncs) keep what they need alive. A stop
/// abandons a list that runs; a resync gets a stop but is not waited for unless `joins_resync`, so
/// that one that has begun may still touch the store after `run` has come back.
class Reflector {
 public:
  Reflector(runtime::Runtime& runtime, std::shared_ptr<ListerWatcher> lister_watcher,
            std::shared_ptr<ReflectorStore> store, ReflectorOptions options = {});
  ~Reflector();
  Reflector(const Reflector&) = delete;
  Reflector& operator=(const Reflector&) = delete;

  /// Runs cycles, with pauses between them, until the token stops; does nothing if it has already
  /// stopped. Call it once, from one task. A panic of the store leaves it.
  void run(const runtime::StopToken& stop);
  /// One cycle. Success if it ended without an error; a stop is not an error.
  [[nodiscard]] api::Result<void> list_and_watch(const runtime::StopToken& stop);

  /// The revision of the last list or event that was passed to the store; "" before the first list.
  /// Any task may call it. It may be ahead of what handlers have seen.
  [[nodiscard]] std::string last_sync_resource_version() const;
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] const std::string& type_description() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace watchlab::cache
