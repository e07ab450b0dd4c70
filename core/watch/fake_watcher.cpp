#include "core/watch/fake_watcher.hpp"

#include <memory>
#include <utility>

#include "core/runtime/ensure.hpp"

namespace watchlab::watch {

HandWrittenWatcher::HandWrittenWatcher(runtime::Runtime& runtime, std::string name,
                                       Capacities capacities, runtime::Location here)
    : mutex_(runtime, name, here),
      stopped_(runtime, false, name + ".stopped", here),
      runtime_(runtime),
      channel_name_(std::move(name) + ".result"),
      capacity_after_reset_(capacities.after_reset) {
  channels_.emplace_back(runtime, capacities.first, channel_name_, here);
}

void HandWrittenWatcher::stop(runtime::Location here) {
  const runtime::Lock lock(mutex_, here);
  if (!stopped_.read(here)) {
    channels_.back().close(here);
    stopped_.write(here) = true;
  }
}

bool HandWrittenWatcher::is_stopped(runtime::Location here) const {
  const runtime::Lock lock(mutex_, here);
  return stopped_.read(here);
}

void HandWrittenWatcher::reset(runtime::Location here) {
  const runtime::Lock lock(mutex_, here);
  channels_.emplace_back(runtime_, capacity_after_reset_, channel_name_, here);
  stopped_.write(here) = false;
}

const runtime::Channel<Event>& HandWrittenWatcher::result_channel() const {
  const runtime::Lock lock(mutex_);
  return channels_.back();
}

void HandWrittenWatcher::add(api::ObjectPtr object, runtime::Location here) {
  action({.type = EventType::Added, .object = std::move(object)}, here);
}

void HandWrittenWatcher::modify(api::ObjectPtr object, runtime::Location here) {
  action({.type = EventType::Modified, .object = std::move(object)}, here);
}

void HandWrittenWatcher::remove(api::ObjectPtr last, runtime::Location here) {
  action({.type = EventType::Deleted, .object = std::move(last)}, here);
}

void HandWrittenWatcher::error(api::Status status, runtime::Location here) {
  action(
      {.type = EventType::Error, .status = std::make_shared<const api::Status>(std::move(status))},
      here);
}

FakeWatcher::FakeWatcher(runtime::Runtime& runtime, std::size_t capacity, runtime::Location here)
    : HandWrittenWatcher(runtime, "fake_watcher", {.first = capacity, .after_reset = 0}, here) {}

void FakeWatcher::action(Event event, runtime::Location here) {
  // The send happens outside of the lock: it may block for long, and `stop` must get through.
  current(here).send(std::move(event), here);
}

runtime::Channel<Event> FakeWatcher::current(runtime::Location here) const {
  const runtime::Lock lock(mutex_, here);
  return channels_.back();
}

RaceFreeFakeWatcher::RaceFreeFakeWatcher(runtime::Runtime& runtime, runtime::Location here)
    : HandWrittenWatcher(runtime, "race_free_fake_watcher",
                         {.first = kDefaultChannelSize, .after_reset = kDefaultChannelSize}, here) {
}

void RaceFreeFakeWatcher::action(Event event, runtime::Location here) {
  const runtime::Lock lock(mutex_, here);
  if (!stopped_.read(here) && !channels_.back().try_send(std::move(event), here)) {
    throw runtime::Panic("channel full");
  }
}

}  // namespace watchlab::watch
