#include "core/watch/recorder.hpp"

#include <utility>

#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "core/watch/filter.hpp"

namespace watchlab::watch {

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
