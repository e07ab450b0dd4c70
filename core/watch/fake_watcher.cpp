#include "core/watch/fake_watcher.hpp"

#include <memory>
#include <utility>

#include "core/runtime/ensure.hpp"

namespace watchlab::watch {

FakeWatcher::FakeWatcher(runtime::Runtime& runtime, std::size_t capacity, runtime::Location here)
    : runtime_(runtime),
      mutex_(runtime, "fake_watcher", here),
      stopped_(runtime, false, "fake_watcher.stopped", here) {
  channels_.emplace_back(runtime, capacity, "fake_watcher.result", here);
}

void FakeWatcher::stop(runtime::Location here) {
  const runtime::Lock lock(mutex_, here);
  if (!stopped_.read(here)) {
    channels_.back().close(here);
    stopped_.write(here) = true;
  }
}

bool FakeWatcher::is_stopped(runtime::Location here) const {
  const runtime::Lock lock(mutex_, here);
  return stopped_.read(here);
}

void FakeWatcher::reset(runtime::Location here) {
  const runtime::Lock lock(mutex_, here);
  channels_.emplace_back(runtime_, 0, "fake_watcher.result", here);
  stopped_.write(here) = false;
}

const runtime::Channel<Event>& FakeWatcher::result_channel() const {
  const runtime::Lock lock(mutex_);
  return channels_.back();
}

void FakeWatcher::add(api::ObjectPtr object, runtime::Location here) {
  action({.type = EventType::Added, .object = std::move(object), .status = nullptr}, here);
}

void FakeWatcher::modify(api::ObjectPtr object, runtime::Location here) {
  action({.type = EventType::Modified, .object = std::move(object), .status = nullptr}, here);
}

void FakeWatcher::remove(api::ObjectPtr last, runtime::Location here) {
  action({.type = EventType::Deleted, .object = std::move(last), .status = nullptr}, here);
}

void FakeWatcher::error(api::Status status, runtime::Location here) {
  action({.type = EventType::Error,
          .object = nullptr,
          .status = std::make_shared<const api::Status>(std::move(status))},
         here);
}

void FakeWatcher::action(Event event, runtime::Location here) {
  // The send happens outside of the lock: it may block for long, and `stop` must get through.
  current(here).send(std::move(event), here);
}

runtime::Channel<Event> FakeWatcher::current(runtime::Location here) const {
  const runtime::Lock lock(mutex_, here);
  return channels_.back();
}

RaceFreeFakeWatcher::RaceFreeFakeWatcher(runtime::Runtime& runtime, runtime::Location here)
    : runtime_(runtime),
      mutex_(runtime, "race_free_fake_watcher", here),
      stopped_(runtime, false, "race_free_fake_watcher.stopped", here) {
  channels_.emplace_back(runtime, kDefaultChannelSize, "race_free_fake_watcher.result", here);
}

void RaceFreeFakeWatcher::stop(runtime::Location here) {
  const runtime::Lock lock(mutex_, here);
  if (!stopped_.read(here)) {
    channels_.back().close(here);
    stopped_.write(here) = true;
  }
}

bool RaceFreeFakeWatcher::is_stopped(runtime::Location here) const {
  const runtime::Lock lock(mutex_, here);
  return stopped_.read(here);
}

void RaceFreeFakeWatcher::reset(runtime::Location here) {
  const runtime::Lock lock(mutex_, here);
  channels_.emplace_back(runtime_, kDefaultChannelSize, "race_free_fake_watcher.result", here);
  stopped_.write(here) = false;
}

const runtime::Channel<Event>& RaceFreeFakeWatcher::result_channel() const {
  const runtime::Lock lock(mutex_);
  return channels_.back();
}

void RaceFreeFakeWatcher::add(api::ObjectPtr object, runtime::Location here) {
  action({.type = EventType::Added, .object = std::move(object), .status = nullptr}, here);
}

void RaceFreeFakeWatcher::modify(api::ObjectPtr object, runtime::Location here) {
  action({.type = EventType::Modified, .object = std::move(object), .status = nullptr}, here);
}

void RaceFreeFakeWatcher::remove(api::ObjectPtr last, runtime::Location here) {
  action({.type = EventType::Deleted, .object = std::move(last), .status = nullptr}, here);
}

void RaceFreeFakeWatcher::error(api::Status status, runtime::Location here) {
  action({.type = EventType::Error,
          .object = nullptr,
          .status = std::make_shared<const api::Status>(std::move(status))},
         here);
}

void RaceFreeFakeWatcher::action(Event event, runtime::Location here) {
  const runtime::Lock lock(mutex_, here);
  if (!stopped_.read(here) && !channels_.back().try_send(std::move(event), here)) {
    throw runtime::Panic("channel full");
  }
}

}  // namespace watchlab::watch
