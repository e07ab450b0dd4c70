#include "core/cache/list_watch.hpp"

#include <utility>

namespace watchlab::cache {

ListWatch::ListWatch(ListFunction list_function, WatchFunction watch_function)
    : list_function_(std::move(list_function)), watch_function_(std::move(watch_function)) {}

api::Result<api::ObjectList> ListWatch::list(const runtime::StopToken& stop,
                                             const api::ListOptions& options) {
  return list_function_(stop, options);
}

api::Result<std::shared_ptr<watch::Watcher>> ListWatch::watch(const runtime::StopToken& stop,
                                                              const api::ListOptions& options) {
  return watch_function_(stop, options);
}

std::shared_ptr<ListerWatcher> with_options(std::shared_ptr<ListerWatcher> inner,
                                            std::function<void(api::ListOptions&)> modify) {
  return std::make_shared<ListWatch>(
      [inner, modify](const runtime::StopToken& stop, api::ListOptions options) {
        modify(options);
        return inner->list(stop, options);
      },
      [inner, modify](const runtime::StopToken& stop, api::ListOptions options) {
        modify(options);
        return inner->watch(stop, options);
      });
}

}  // namespace watchlab::cache
