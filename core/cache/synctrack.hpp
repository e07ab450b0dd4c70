#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "core/runtime/atomic.hpp"
#include "core/runtime/ensure.hpp"

namespace watchlab::cache::synctrack {

/// Says whether everything of a first list has been *handled*, not only queued, where things are
/// handled one after the other. `start` is called for each of them before upstream can report that
/// it has synced. Any task may call any function.
/// Mirrors client-go 0.32 tools/cache/synctrack/synctrack.go, SingleFileTracker.
class SingleFileTracker {
 public:
  SingleFileTracker(runtime::Runtime& runtime, std::function<bool()> upstream_has_synced)
      : upstream_has_synced_(std::move(upstream_has_synced)), waiting_(runtime, 0, "synctrack") {}

  /// One more thing to be handled.
  void start() { waiting_.fetch_add(1); }
  /// One was handled. Panics when there was none left.
  void finished() {
    if (waiting_.fetch_add(-1) <= 0) {
      throw runtime::Panic("negative counter: more things were finished than started");
    }
  }
  /// Asks upstream, which may take locks and time.
  [[nodiscard]] bool has_synced() const {
    // The count is read last: read first, it could be that of a moment before upstream had synced.
    return upstream_has_synced_() && waiting_.load() <= 0;
  }

 private:
  std::function<bool()> upstream_has_synced_;
  runtime::Atomic<std::int64_t> waiting_;
};

}  // namespace watchlab::cache::synctrack
