#include "core/cache/first/reflector.hpp"

#include <utility>

#include "core/runtime/select.hpp"
#include "core/runtime/timer.hpp"

namespace watchlab::cache::first {

Reflector::Reflector(runtime::Runtime& runtime, ListerWatcher& source, Store& store,
                     ReflectorOptions options)
    : runtime_(runtime), source_(source), store_(store), options_(std::move(options)) {}

void Reflector::run(const runtime::StopToken& stop) {
  do {
    const api::Result<std::shared_ptr<watch::Watcher>> watcher = source_.watch(stop, {});
    if (watcher) {
      handle_events(stop, **watcher);
      (*watcher)->stop();
    } else {
      runtime_.log(runtime::LogLevel::Error,
                   "cannot watch " + options_.expected_kind + ": " + watcher.error().message);
    }
  } while (rest(stop));
}

bool Reflector::rest(const runtime::StopToken& stop) {
  const runtime::Timer timer(runtime_, options_.pause);
  runtime::Select choice(runtime_);
  choice.receive(stop.done(runtime_)).receive(timer.channel());
  return choice.wait() != 0;
}

void Reflector::handle_events(const runtime::StopToken& stop, watch::Watcher& watcher) {
  for (;;) {
    std::optional<watch::Event> event;
    runtime::Select choice(runtime_);
    choice.receive(stop.done(runtime_)).receive(watcher.result_channel(), event);
    if (choice.wait() == 0 || !event) {
      return;
    }
    handle(*event);
  }
}

void Reflector::handle(const watch::Event& event) {
  if (event.object == nullptr || event.object->kind != options_.expected_kind) {
    runtime_.log(runtime::LogLevel::Error,
                 "expected an event about a " + options_.expected_kind + ", got another one");
    return;
  }
  const std::string id = api::key_of(event.object->metadata);
  switch (event.type) {
    case watch::EventType::Added:
      store_.add(id, event.object);
      break;
    case watch::EventType::Modified:
      store_.update(id, event.object);
      break;
    case watch::EventType::Deleted:
      store_.remove(id);
      break;
    default:
      runtime_.log(runtime::LogLevel::Error, "an event of an unknown type");
  }
}

}  // namespace watchlab::cache::first
