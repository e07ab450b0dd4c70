#pragma once

#include <memory>

#include "core/api/options.hpp"
#include "core/api/result.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/watch/watcher.hpp"

namespace watchlab::cache {

/// Where a reflector gets its objects from: one resource, of one namespace or all, of one server.
/// Mirrors client-go tools/cache/listwatch.go, ListerWatcher.
class ListerWatcher {
 public:
  ListerWatcher() = default;
  ListerWatcher(const ListerWatcher&) = delete;
  ListerWatcher& operator=(const ListerWatcher&) = delete;
  virtual ~ListerWatcher() = default;

  /// One LIST request, one page. Blocks until the answer is there or `stop` is.
  [[nodiscard]] virtual api::Result<api::ObjectList> list(const runtime::StopToken& stop,
                                                          const api::ListOptions& options) = 0;
  /// Starts a watch. Blocks until the stream is open. The caller must stop the watcher.
  [[nodiscard]] virtual api::Result<std::shared_ptr<watch::Watcher>> watch(
      const runtime::StopToken& stop, const api::ListOptions& options) = 0;
};

}  // namespace watchlab::cache
