#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "core/api/options.hpp"
#include "core/api/result.hpp"
#include "core/runtime/interface.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/watch/watch.hpp"

namespace watchlab::cache {

/// Where a reflector gets its objects from: one resource, of one namespace or all, of one server.
/// Mirrors client-go tools/cache/listwatch.go, ListerWatcher.
class ListerWatcher : public runtime::Interface {
 public:
  /// One LIST request, one page. Blocks until the answer is there or `stop` is.
  [[nodiscard]] virtual api::Result<api::ObjectList> list(const runtime::StopToken& stop,
                                                          const api::ListOptions& options) = 0;
  /// Starts a watch. Blocks until the stream is open. The caller must stop the watcher.
  [[nodiscard]] virtual api::Result<std::shared_ptr<watch::Watcher>> watch(
      const runtime::StopToken& stop, const api::ListOptions& options) = 0;
  /// Whether it is known that this source cannot stream lists, so that none is asked for. Mirrors
  /// client-go 0.35 util/watchlist, IsWatchListSemanticsUnSupported.
  [[nodiscard]] virtual bool is_watch_list_unsupported() const { return false; }
};

/// A lister-watcher out of two functions. Both are called from the reflector's tasks and may be
/// called at the same time: a list that was abandoned by a stop can still run.
/// Mirrors client-go tools/cache/listwatch.go, ListWatch. Paging is the reflector's business.
class ListWatch : public ListerWatcher {
 public:
  using ListFunction = std::function<api::Result<api::ObjectList>(const runtime::StopToken& stop,
                                                                  const api::ListOptions& options)>;
  using WatchFunction = std::function<api::Result<std::shared_ptr<watch::Watcher>>(
      const runtime::StopToken& stop, const api::ListOptions& options)>;

  ListWatch(ListFunction list_function, WatchFunction watch_function,
            bool is_watch_list_unsupported = false)
      : list_function_(std::move(list_function)),
        watch_function_(std::move(watch_function)),
        is_watch_list_unsupported_(is_watch_list_unsupported) {}

  [[nodiscard]] api::Result<api::ObjectList> list(const runtime::StopToken& stop,
                                                  const api::ListOptions& options) override {
    return list_function_(stop, options);
  }
  [[nodiscard]] api::Result<std::shared_ptr<watch::Watcher>> watch(
      const runtime::StopToken& stop, const api::ListOptions& options) override {
    return watch_function_(stop, options);
  }
  [[nodiscard]] bool is_watch_list_unsupported() const override {
    return is_watch_list_unsupported_;
  }

 private:
  ListFunction list_function_;
  WatchFunction watch_function_;
  bool is_watch_list_unsupported_;
};

/// A lister-watcher that changes the options of every request on their way, for selectors.
/// Mirrors client-go tools/cache/listwatch.go, NewFilteredListWatchFromClient, with any
/// lister-watcher in place of the client.
[[nodiscard]] inline std::shared_ptr<ListerWatcher> with_options(
    std::shared_ptr<ListerWatcher> inner, std::function<void(api::ListOptions&)> modify) {
  return std::make_shared<ListWatch>(
      [inner, modify](const runtime::StopToken& stop, api::ListOptions options) {
        modify(options);
        return inner->list(stop, options);
      },
      [inner, modify](const runtime::StopToken& stop, api::ListOptions options) {
        modify(options);
        return inner->watch(stop, options);
      },
      inner->is_watch_list_unsupported());
}

}  // namespace watchlab::cache
