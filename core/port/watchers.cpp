#include "core/port/watchers.hpp"

#include <utility>

#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "core/watch/watch.hpp"

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

struct Recorder::Journal {
  Journal(runtime::Runtime& runtime, runtime::Location here)
      : mutex(runtime, "recorder", here), events(runtime, {}, "recorder.events", here) {}

  runtime::Mutex mutex;
  runtime::Shared<std::vector<Event>> events;
};

Recorder::Recorder(runtime::Runtime& runtime, std::shared_ptr<Watcher> source,
                   runtime::Location here)
    : journal_(std::make_shared<Journal>(runtime, here)) {
  auto record = [journal = journal_](Event event) -> std::optional<Event> {
    const runtime::Lock lock(journal->mutex);
    journal->events.write().push_back(event);
    return event;
  };
  filtered_ = filter(runtime, std::move(source), std::move(record), here);
}

void Recorder::stop(runtime::Location here) { filtered_->stop(here); }

const runtime::Channel<Event>& Recorder::result_channel() const {
  return filtered_->result_channel();
}

std::vector<Event> Recorder::events(runtime::Location here) const {
  const runtime::Lock lock(journal_->mutex, here);
  return journal_->events.read(here);
}

}  // namespace watchlab::watch
