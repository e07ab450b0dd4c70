#include "core/watch/event_processor.hpp"

#include <utility>

#include "core/runtime/ensure.hpp"
#include "core/runtime/select.hpp"

namespace watchlab::watch {

using runtime::Location;

EventProcessor::EventProcessor(runtime::Runtime& runtime, runtime::Channel<Event> out,
                               Location here)
    : runtime_(runtime),
      mutex_(runtime, "event_processor", here),
      changed_(runtime, "event_processor.changed", here),
      buffer_(runtime, {}, "event_processor.buffer", here),
      out_(std::move(out)),
      done_(runtime, 0, "event_processor.done", here) {}

void EventProcessor::run() {
  do {
    write_batch(take_batch());
  } while (!stopped());
}

void EventProcessor::push(Event event, Location here) {
  const runtime::Lock lock(mutex_, here);
  buffer_.write(here).push_back(std::move(event));
  changed_.notify_one(here);
}

void EventProcessor::stop(Location here) {
  const runtime::Lock lock(mutex_, here);
  done_.close(here);
  changed_.notify_one(here);
}

std::vector<Event> EventProcessor::take_batch() {
  runtime::Lock lock(mutex_);
  while (buffer_.read().empty() && !stopped()) {
    changed_.wait(lock);
  }
  return std::exchange(buffer_.write(), {});
}

void EventProcessor::write_batch(std::vector<Event> batch) {
  for (Event& event : batch) {
    runtime::Select choice(runtime_);
    choice.send(out_, std::move(event)).receive(done_);
    if (choice.wait() == 1) {
      return;
    }
  }
}

bool EventProcessor::stopped() const {
  runtime::Select look(runtime_);
  look.receive(done_);
  return look.poll().has_value();
}

std::shared_ptr<cache::ResourceEventHandler> make_pushing_handler(
    std::shared_ptr<EventProcessor> processor) {
  const auto push = [processor](EventType type, const api::ObjectPtr& object) {
    processor->push({.type = type, .object = object, .status = nullptr});
  };
  return cache::make_handler({
      .add = [push](const api::ObjectPtr& object, bool) { push(EventType::Added, object); },
      .update = [push](const api::ObjectPtr&,
                       const api::ObjectPtr& object) { push(EventType::Modified, object); },
      .remove =
          [push](const cache::Item& item) {
            const api::ObjectPtr object = cache::object_of(item);
            if (object == nullptr) {
              throw runtime::Panic("a tombstone without an object cannot be told as an event");
            }
            push(EventType::Deleted, object);
          },
  });
}

}  // namespace watchlab::watch
