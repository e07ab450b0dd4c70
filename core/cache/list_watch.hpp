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

/// The source of a reflector's objects: one resource, in one namespace or all, on one server.
/// Mirrors client-go tools/cache/listwatch.go, ListerWatcher.
class ListerWatcher : public runtime::Interface {
 public:
  /// One LIST request for one page. Blocks until the answer or the stop.
  [[nodiscard]] virtual api::Result<api::ObjectList> list(const runtime::StopToken& stop,
                                                          const api::ListOptions& options) = 0;
  /// Starts a watch. Blocks until the stream is open. The caller must stop the watcher.
  [[nodiscard]] virtual api::Result<std::shared_ptr<watch::Watcher>> watch(
      const runtime::StopToken& stop, const api::ListOptions& options) = 0;
  /// Whether this source is known not to stream lists, so that nobody asks for one. Mirrors
  /// client-go 0.35 util/watchlist, IsWatchListSemanticsUnSupported.
  [[nodiscard]] virtual bool is_watch_list_unsupported() const { return false; }
};

/// A lister-watcher made of two functions. The reflector's tasks call both, possibly at the same
/// time: a list that a stop has abandoned may still run. Mirrors client-go
/// tools/cache/listwatch.go, ListWatch. The reflector does the paging.
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

/// A lister-watcher that changes the options of every request, for example to add selectors.
/// Mirrors client-go tools/cache/listwatch.go, NewFilteredListWatchFromClient, with any
/// lister-watcher instead of the client.
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
