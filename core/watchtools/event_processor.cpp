#include "core/watchtools/event_processor.hpp"

#include <utility>

#include "core/runtime/ensure.hpp"
#include "core/runtime/select.hpp"

namespace watchlab::watchtools {

using runtime::Location;

EventProcessor::EventProcessor(runtime::Runtime& runtime, runtime::Channel<watch::Event> out,
                               Location here)
    : runtime_(runtime),
      mutex_(runtime, "event_processor", here),
      changed_(runtime, "event_processor.changed", here),
      state_(runtime, {}, "event_processor.state", here),
      out_(std::move(out)),
      given_up_(runtime, 0, "event_processor.given_up", here) {}

void EventProcessor::run() {
  while (std::optional<watch::Event> event = next()) {
    if (!deliver(*std::move(event))) {
      return;
    }
  }
}

void EventProcessor::push(watch::Event event, Location here) {
  const runtime::Lock lock(mutex_, here);
  state_.write(here).pending.push_back(std::move(event));
  changed_.notify_one(here);
}

void EventProcessor::stop(Location here) {
  const runtime::Lock lock(mutex_, here);
  state_.write(here).stopped = true;
  given_up_.close(here);
  changed_.notify_one(here);
}

std::optional<watch::Event> EventProcessor::next() {
  runtime::Lock lock(mutex_);
  while (state_.read().pending.empty() && !state_.read().stopped) {
    changed_.wait(lock);
  }
  State& state = state_.write();
  if (state.stopped) {
    return std::nullopt;
  }
  watch::Event event = std::move(state.pending.front());
  state.pending.pop_front();
  return event;
}

bool EventProcessor::deliver(watch::Event event) {
  constexpr std::size_t kSent = 0;
  runtime::Select choice(runtime_);
  choice.send(out_, std::move(event)).receive(given_up_);
  return choice.wait() == kSent;
}

std::shared_ptr<cache::ResourceEventHandler> make_pushing_handler(
    std::shared_ptr<EventProcessor> processor) {
  const auto push = [processor](watch::EventType type, const api::ObjectPtr& object) {
    processor->push({.type = type, .object = object});
  };
  return cache::make_handler({
      .add = [push](const api::ObjectPtr& object, bool) { push(watch::EventType::Added, object); },
      .update = [push](const api::ObjectPtr&,
                       const api::ObjectPtr& object) { push(watch::EventType::Modified, object); },
      .remove =
          [push](const cache::Item& item) {
            const api::ObjectPtr object = cache::object_of(item);
            if (object == nullptr) {
              throw runtime::Panic("a tombstone without an object cannot become an event");
            }
            push(watch::EventType::Deleted, object);
          },
  });
}

}  // namespace watchlab::watchtools
