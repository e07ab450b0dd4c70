#include <chrono>

#include "core/cache/reflector_impl.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/select.hpp"

namespace watchlab::cache {
namespace {

constexpr runtime::Duration kShortWatch = std::chrono::seconds(1);

enum Arm : std::size_t { Stopped, ResyncFailed, EventArrived };

api::Error error_of(const watch::Event& event) {
  if (!event.status) {
    return {.message = "unexpected object in an error event"};
  }
  return api::error_from(*event.status);
}

}  // namespace

/// Mirrors client-go handleAnyWatch. A watch that ends within a second without events is an error,
/// or a server that closes each watch at once would be asked in a loop without pauses.
StreamEnd Reflector::Impl::handle_watch(watch::Watcher& watcher, runtime::TimePoint start,
                                        const runtime::StopToken& stop,
                                        const runtime::Channel<api::Error>& resync_errors) {
  StreamEnd end;
  std::size_t events = 0;
  runtime::run_then(
      [&] {
        while (true) {
          std::optional<watch::Event> event;
          std::optional<api::Error> resync_error;
          runtime::Select choice(runtime);
          choice.receive(stop.done(runtime));
          choice.receive(resync_errors, resync_error);
          choice.receive(watcher.result_channel(), event);
          const std::size_t arm = choice.wait();
          if (arm == Arm::Stopped) {
            end.stop_requested = true;
            return;
          }
          if (arm == Arm::ResyncFailed) {
            end.error = resync_error;
            return;
          }
          if (!event) {
            return;
          }
          if (event->type == watch::EventType::Error) {
            end.error = error_of(*event);
            return;
          }
          if (acceptable(*event)) {
            apply(*event);
            ++events;
          }
        }
      },
      [&] { watcher.stop(); });
  const runtime::Duration lived = runtime.now() - start;
  options.metrics->watch_ended(lived, events);
  if (!end.stop_requested && !end.error && lived < kShortWatch && events == 0) {
    options.metrics->watch_was_short();
    end.error = {.kind = api::ErrorKind::VeryShortWatch,
                 .message = "very short watch: closed in less than a second without any event"};
  }
  return end;
}

/// An event of the wrong type is logged and skipped, as in the original: the stream is not given up
/// for it, and its revision does not count.
bool Reflector::Impl::acceptable(const watch::Event& event) {
  if (!event.object) {
    log(runtime::LogLevel::Error, "an event without an object");
    return false;
  }
  const bool right_version =
      options.api_version.empty() || event.object->api_version == options.api_version;
  const bool right_kind = options.kind.empty() || event.object->kind == options.kind;
  if (!right_version || !right_kind) {
    log(runtime::LogLevel::Error,
        fmt::format("expected {}, got {}, Kind={}", options.type_description,
                    event.object->api_version, event.object->kind));
  }
  return right_version && right_kind;
}

/// A bookmark changes no object and advances the revision all the same; that is what it is for.
void Reflector::Impl::apply(const watch::Event& event) {
  api::Result<void> stored;
  switch (event.type) {
    case watch::EventType::Added:
      stored = store->add(Item(event.object));
      break;
    case watch::EventType::Modified:
      stored = store->update(Item(event.object));
      break;
    case watch::EventType::Deleted:
      stored = store->remove(Item(event.object));
      break;
    case watch::EventType::Bookmark:
    case watch::EventType::Error:
      break;
  }
  if (!stored) {
    // The revision advances all the same: the event is lost until the next list.
    log(runtime::LogLevel::Error,
        fmt::format("unable to store {} of {}: {}", to_string(event.type),
                    key_of(event.object->metadata), stored.error().message));
  }
  const std::string& version = event.object->metadata.resource_version;
  set_last_version(version);
  options.metrics->reached(version);
  if (version_updater != nullptr) {
    version_updater->update_resource_version(version);
  }
}

}  // namespace watchlab::cache
