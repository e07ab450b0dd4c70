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

/// What a reflector counts. Every function does nothing unless overridden; they are called by the
/// reflector's tasks, two of which can overlap after a stop (an abandoned list), and must not
/// block. Mirrors client-go tools/cache/reflector_metrics.go, MetricsProvider, as one object a
/// reflector in place of seven metrics.
class ReflectorMetrics : public runtime::Interface {
 public:
  /// A list, of however many pages, begins.
  virtual void list_started() {}
  /// A list that was not abandoned has ended, well or badly.
  virtual void list_ended(runtime::Duration /*took*/) {}
  /// A list was good and had so many items.
  virtual void items_listed(std::size_t /*items*/) {}
  /// A watch request is about to be sent.
  virtual void watch_started() {}
  /// A stream has ended after so long, measured from before its request, and with so many events
  /// that counted.
  virtual void watch_ended(runtime::Duration /*took*/, std::size_t /*events*/) {}
  /// The stream that has just ended was a very short one: no event within less than a second.
  virtual void watch_was_short() {}
  /// The reflector has reached this revision.
  virtual void reached(const std::string& /*resource_version*/) {}
};

class Reflector;

/// Receives why a cycle of a reflector failed. Called by the reflector's own task, before its
/// pause: a slow handler delays the next cycle. A cycle that ends without an error (a 410 in the
/// stream, a very short watch, a stop) is not reported. Mirrors client-go tools/cache/reflector.go,
/// WatchErrorHandler.
using WatchErrorHandler = std::function<void(Reflector& reflector, const api::Error& error)>;

/// What a reflector does with an error when it was given no handler: logs it, quietly if it belongs
/// to normal life (410, an orderly end). Mirrors DefaultWatchErrorHandler.
void log_watch_error(runtime::Runtime& runtime, const std::string& type_description,
                     const api::Error& error);

/// What a reflector is to keep in step, and how. Mirrors client-go tools/cache/reflector.go,
/// ReflectorOptions and the fields that callers set.
struct ReflectorOptions {
  std::string name = "reflector";  ///< for notes and log lines
  /// The type that events must have; "" accepts any. An event with another type is logged and
  /// skipped, bookmarks too: the server must type them as the resource.
  std::string api_version;
  std::string kind;
  /// How log lines call the type; "" makes one of `api_version` and `kind`.
  std::string type_description;
  /// How long after a list, or after the previous resync, the store is to resync; zero never.
  runtime::Duration resync_period{};
  /// Asked at each resync tick; none resyncs always.
  std::function<bool()> should_resync;
  /// Watches ask the server for a timeout in [this, twice this). Below five minutes it counts as
  /// five minutes.
  runtime::Duration min_watch_timeout{};
  /// The pauses of this reflector; null for 0.8 s doubling to 30 s, jittered. Not to be shared.
  std::shared_ptr<wait::BackoffManager> backoff;
  /// Page size of lists; 0 leaves it to the reflector (see `Reflector`).
  std::int64_t watch_list_page_size = 0;
  /// So long internal errors in a stream are answered by a new watch at once; zero never.
  runtime::Duration max_internal_error_retry_duration{};
  WatchErrorHandler watch_error_handler;  ///< none logs
  /// Whether a cycle waits for its resync task before it ends, as since 0.33.
  bool joins_resync = false;
  /// Whether lists are asked for as the beginning of a watch, where the source knows that. On by
  /// default since 0.35 (gate WatchListClient).
  bool streams_lists = false;
  /// Whether the pauses, unless `backoff` is given, start again every two minutes, as since 0.36;
  /// or after two minutes without one.
  bool resets_delay = false;
  /// Whether the events at the start of a watch from "" or "0", which come in no order, leave the
  /// last revision as it is, as since 0.36.
  bool ordered_versions = false;
  /// Whether Tables, which servers make for people to read, are refused: a list is an error, an
  /// event is skipped. Since 0.36. A streamed list refuses them always, as since 0.34.
  bool refuses_tables = false;
  /// Whether each streamed list is compared with a list at its revision before the store takes it;
  /// a difference panics. Mirrors KUBE_WATCHLIST_INCONSISTENCY_DETECTOR; see
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

  /// Runs cycles with pauses between them until the token stops; not at all when it is stopped
  /// already. To be called once, by one task. A panic of the store leaves it.
  void run(const runtime::StopToken& stop);
  /// One cycle. Success when it ended in a way that is no error, the stop among them.
  [[nodiscard]] api::Result<void> list_and_watch(const runtime::StopToken& stop);

  /// The revision of the last list or event that was handed to the store; "" before the first list.
  /// Any task may ask. It may run ahead of what handlers have seen.
  [[nodiscard]] std::string last_sync_resource_version() const;
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] const std::string& type_description() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace watchlab::cache
