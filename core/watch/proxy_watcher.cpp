#include "core/watch/proxy_watcher.hpp"

#include <utility>

namespace watchlab::watch {

ProxyWatcher::ProxyWatcher(runtime::Runtime& runtime, runtime::Channel<Event> result,
                           runtime::Location here)
    : mutex_(runtime, "proxy_watcher", here),
      result_(std::move(result)),
      stop_channel_(runtime, 0, "proxy_watcher.stop", here),
      stopped_(runtime, false, "proxy_watcher.stopped", here) {}

void ProxyWatcher::stop(runtime::Location here) {
  const runtime::Lock lock(mutex_, here);
  if (!stopped_.read(here)) {
    stopped_.write(here) = true;
    stop_channel_.close(here);
  }
}

bool ProxyWatcher::stopping(runtime::Location here) const {
  const runtime::Lock lock(mutex_, here);
  return stopped_.read(here);
}

const runtime::Channel<Event>& ProxyWatcher::result_channel() const { return result_; }

const runtime::Channel<runtime::Unit>& ProxyWatcher::stop_channel() const { return stop_channel_; }

}  // namespace watchlab::watch
