#pragma once

#include <chrono>
#include <string>

#include "core/cache/first/store.hpp"
#include "core/cache/list_watch.hpp"

namespace watchlab::cache::first {

/// Options of the first reflector; it has no others.
struct ReflectorOptions {
  std::string expected_kind;                          ///< events with other objects are ignored
  runtime::Duration pause = std::chrono::seconds(5);  ///< between two watches
};

/// Keeps a store like the server's objects, by watching: each event is one change of the store.
/// When the watch ends, for whatever reason, it starts another after a fixed pause.
///
/// It watches without listing first and without a resource version. So it relies on the server
/// telling all present objects as ADDED at the start of each watch. What it cannot do:
/// - notice what was deleted while no watch ran; such objects stay in the store (later: a
///   list after each break, `ReflectorStore::replace`, tombstones);
/// - continue where it stopped; it receives everything again (later: the last resource version,
/// then
///   bookmarks);
/// - spare a server in trouble; all clients come back together, a pause after it broke (later:
///   backoff with jitter);
/// - say that it is complete (later: `Queue::has_synced`);
/// - distinguish a broken watch from one that ended in order, or look at an ERROR event (later:
///   `Reflector`, `RetryWatcher`).
class Reflector {
 public:
  /// Watches through `source`, which also determines what and where; its `list` is never called.
  /// All three must outlive the reflector.
  Reflector(runtime::Runtime& runtime, ListerWatcher& source, Store& store,
            ReflectorOptions options);

  /// Watches until stopped. Called by one task. Differs from the first version, which could not be
  /// stopped at all.
  void run(const runtime::StopToken& stop);

 private:
  /// Returns when the watch ends.
  void handle_events(const runtime::StopToken& stop, watch::Watcher& watcher);
  void handle(const watch::Event& event);
  /// False if it was stopped.
  [[nodiscard]] bool rest(const runtime::StopToken& stop);

  runtime::Runtime& runtime_;
  ListerWatcher& source_;
  Store& store_;
  ReflectorOptions options_;
};

}  // namespace watchlab::cache::first
