#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/api/error.hpp"
#include "core/cache/reflector.hpp"
#include "core/cache/store.hpp"
#include "core/pager/list_pager.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/random.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/shared_mutex.hpp"

namespace watchlab::cache {

/// When a series of errors of one sort may still be answered by a retry in place.
struct RetryDeadline {
  /// A series may last so long, from its first error. Zero or less: never retry.
  runtime::Duration max_retry{};
  /// So long without such an error and the next one opens a new series.
  runtime::Duration min_reset{};
  /// The sort of error that counts.
  std::function<bool(const api::Error&)> retriable;
};

/// Decides whether an error is to be retried in place or to be given up on. Not to be shared
/// between tasks. Mirrors client-go tools/cache/retry_with_deadline.go, RetryWithDeadline.
class RetryWithDeadline {
 public:
  RetryWithDeadline(runtime::Runtime& runtime, RetryDeadline deadline);

  /// Takes note of how an attempt has ended. Success (nothing) and errors of another sort change
  /// nothing: only time ends a series.
  void after(const std::optional<api::Error>& error);
  /// Whether the present series is still within its time. A no ends the series.
  [[nodiscard]] bool should_retry();

 private:
  void forget();

  runtime::Runtime& runtime_;
  RetryDeadline deadline_;
  std::optional<runtime::TimePoint> first_;
  std::optional<runtime::TimePoint> last_;
};

/// Whether these are the version and kind of a Table. Mirrors client-go 0.36
/// tools/cache/reflector.go, isUnsupportedTableObject.
[[nodiscard]] bool is_table(const std::string& api_version, const std::string& kind);

/// How a stream of events came to its end.
struct StreamEnd {
  bool stop_requested = false;
  std::size_t events = 0;           ///< that counted
  bool marked = false;              ///< at the mark of a streamed list; the stream is still open
  std::optional<api::Error> error;  ///< nothing after a normal close
};

/// How a stream is read.
struct StreamReading {
  runtime::TimePoint start;  ///< before its request was sent
  /// Whether its first events are in the order of their revisions, which those of a first state are
  /// not.
  bool is_in_order = true;
  bool ends_at_mark = false;  ///< it is a streamed list
  /// What takes an event that counts. `moves`: the revision has come to that of the event.
  std::function<void(const watch::Event& event, bool moves)> take;
};

/// A reflector's inside, private to the reflector_*.cpp files: one file a state of the machine. It
/// is shared with the tasks of lists and resyncs, which can outlive the reflector.
struct Reflector::Impl : std::enable_shared_from_this<Reflector::Impl> {
  Impl(runtime::Runtime& runtime_in, std::shared_ptr<ListerWatcher> lister_watcher_in,
       std::shared_ptr<ReflectorStore> store_in, ReflectorOptions options_in);

  // reflector.cpp
  /// Waits for the next backoff; false when the stop came first.
  [[nodiscard]] bool pause(const runtime::StopToken& stop);
  [[nodiscard]] std::string last_version() const;
  void set_last_version(const std::string& version);
  void set_version_unavailable(bool unavailable);
  /// What the next list asks for.
  [[nodiscard]] std::string relist_version() const;
  void note(std::string_view text) { runtime.note({"reflector", options.name, text}); }
  void log(runtime::LogLevel level, std::string_view what) {
    runtime.log(level, fmt::format("{}: {}", options.name, what));
  }

  // reflector_list.cpp
  [[nodiscard]] api::Result<void> list(const runtime::StopToken& stop);
  [[nodiscard]] api::Result<pager::PagedList> list_pages(const runtime::StopToken& stop,
                                                         const std::string& version);
  [[nodiscard]] std::int64_t page_size_for(const std::string& version) const;
  [[nodiscard]] api::Result<void> take_over(const api::ObjectList& list);

  // reflector_watch.cpp
  [[nodiscard]] api::Result<void> watch(const runtime::StopToken& stop,
                                        const runtime::Channel<api::Error>& resync_errors);
  /// The stream of a streamed list, once; else a new one.
  [[nodiscard]] api::Result<std::shared_ptr<watch::Watcher>> open_watch(
      const runtime::StopToken& stop);
  [[nodiscard]] std::int64_t drawn_timeout();
  [[nodiscard]] api::Result<std::shared_ptr<watch::Watcher>> request_watch(
      const runtime::StopToken& stop, api::ListOptions request);
  [[nodiscard]] bool watch_again_after(const StreamEnd& end, RetryWithDeadline& retry,
                                       const runtime::StopToken& stop);
  /// Watches while a task of its own resyncs the store.
  [[nodiscard]] api::Result<void> watch_with_resync(const runtime::StopToken& stop);
  void resync_until(const runtime::StopToken& stop, runtime::Channel<api::Error> errors);

  // reflector_watch_list.cpp
  /// Asks for a streamed list until the store has taken one, whose stream is in `streamed` then. An
  /// error where only a list can help; success without a stream after a stop.
  [[nodiscard]] api::Result<void> watch_list(const runtime::StopToken& stop);
  [[nodiscard]] api::Result<std::shared_ptr<watch::Watcher>> open_watch_list(
      const runtime::StopToken& stop);
  /// Whether a streamed list is to be asked for again after this failure. May pause first.
  [[nodiscard]] bool asks_again_after(const api::Error& error);
  [[nodiscard]] api::Result<void> take_over_stream(std::shared_ptr<watch::Watcher> stream,
                                                   const api::ObjectList& list);
  void check_consistency(const api::ObjectList& list, const runtime::StopToken& stop);

  // reflector_stream.cpp
  [[nodiscard]] StreamEnd handle_watch(watch::Watcher& watcher, runtime::TimePoint start,
                                       const runtime::StopToken& stop,
                                       const runtime::Channel<api::Error>& resync_errors);
  /// Reads until the stream is over or is to be left, and stops it then, unless it was marked.
  [[nodiscard]] StreamEnd read_stream(watch::Watcher& watcher, const StreamReading& reading,
                                      const runtime::StopToken& stop,
                                      const runtime::Channel<api::Error>& resync_errors);
  [[nodiscard]] StreamEnd read_events(watch::Watcher& watcher, const StreamReading& reading,
                                      const runtime::StopToken& stop,
                                      const runtime::Channel<api::Error>& resync_errors);
  void log_late_mark(runtime::TimePoint start, std::optional<runtime::TimePoint> last_event);
  [[nodiscard]] bool acceptable(const watch::Event& event, bool refuses_tables);
  void apply(const watch::Event& event, ReflectorStore* into);
  void moved_to(const std::string& version);

  runtime::Runtime& runtime;
  const std::shared_ptr<ListerWatcher> lister_watcher;
  const std::shared_ptr<ReflectorStore> store;
  ReflectorOptions options;
  // The store's other faces, or null.
  ResourceVersionUpdater* const version_updater;
  ReflectorBookmarkStore* const bookmark_store;
  const bool streams_lists;  ///< wanted, and the source can
  runtime::Random watch_timeouts;
  /// Set once a list for "0" came in pages: such a server has no cache that serves whole lists.
  bool paginated_result = false;
  /// The open stream of a streamed list, until the watch takes it.
  std::shared_ptr<watch::Watcher> streamed;
  /// Whether the first events of the stream that `open_watch` gave last are in order.
  bool stream_is_in_order = true;

  mutable runtime::SharedMutex version_mutex;
  std::string last_sync_version;          ///< guarded by version_mutex
  bool last_version_unavailable = false;  ///< guarded by version_mutex
};

}  // namespace watchlab::cache
