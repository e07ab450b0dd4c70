#include <chrono>

#include "core/cache/reflector_impl.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/timer.hpp"

namespace watchlab::cache {
namespace {

constexpr runtime::Duration kShortWatch = std::chrono::seconds(1);

/// So long the mark of a streamed list may take without a word in the log.
constexpr runtime::Duration kMarkIsLate = std::chrono::seconds(10);

enum Arm : std::size_t { Stopped, ResyncFailed, EventArrived, MarkIsLate };

api::Error error_of(const watch::Event& event) {
  if (!event.status) {
    return {.message = "unexpected object in an error event"};
  }
  return api::error_from(*event.status);
}

/// Whether the event is the bookmark that ends a streamed list.
bool is_mark(const watch::Event& event) {
  if (event.type != watch::EventType::Bookmark) {
    return false;
  }
  const auto& annotations = event.object->metadata.annotations;
  const auto found = annotations.find(std::string(api::kInitialEventsEnd));
  return found != annotations.end() && found->second == "true";
}

}  // namespace

bool is_table(const std::string& api_version, const std::string& kind) {
  return kind == "Table" &&
         (api_version == "meta.k8s.io/v1" || api_version == "meta.k8s.io/v1beta1");
}

StreamEnd Reflector::Impl::handle_watch(watch::Watcher& watcher, runtime::TimePoint start,
                                        const runtime::StopToken& stop,
                                        const runtime::Channel<api::Error>& resync_errors) {
  const auto take = [this](const watch::Event& event, bool moves) {
    apply(event, store.get());
    if (moves) {
      moved_to(event.object->metadata.resource_version);
    }
  };
  return read_stream(watcher, {.start = start, .is_in_order = stream_is_in_order, .take = take},
                     stop, resync_errors);
}

/// Mirrors client-go handleAnyWatch. A watch that ends within a second without events is an error,
/// or a server that closes each watch at once would be asked in a loop without pauses.
StreamEnd Reflector::Impl::read_stream(watch::Watcher& watcher, const StreamReading& reading,
                                       const runtime::StopToken& stop,
                                       const runtime::Channel<api::Error>& resync_errors) {
  StreamEnd end;
  runtime::run_then([&] { end = read_events(watcher, reading, stop, resync_errors); },
                    [&] {
                      if (!end.marked) {
                        watcher.stop();
                      }
                    });
  if (end.marked) {
    return end;
  }
  const runtime::Duration lived = runtime.now() - reading.start;
  options.metrics->watch_ended(lived, end.events);
  if (!end.stop_requested && !end.error && lived < kShortWatch && end.events == 0) {
    options.metrics->watch_was_short();
    end.error = {.kind = api::ErrorKind::VeryShortWatch,
                 .message = "very short watch: closed in less than a second without any event"};
  }
  return end;
}

/// Mirrors client-go initialEventsEndBookmarkTicker, produceWarningIfExpired: no word while events
/// come.
void Reflector::Impl::log_late_mark(runtime::TimePoint start,
                                    std::optional<runtime::TimePoint> last_event) {
  const runtime::Duration quiet = runtime.now() - last_event.value_or(start);
  if (last_event && quiet < kMarkIsLate) {
    return;
  }
  const double seconds = std::chrono::duration<double>(quiet).count();
  log(runtime::LogLevel::Warning,
      last_event
          ? fmt::format(
                "the end of a streamed list is not marked yet; its last event came {} s ago",
                seconds)
          : fmt::format("the end of a streamed list is not marked yet; no event came in {} s",
                        seconds));
}

/// While the mark of a streamed list is missing, that is looked at every ten seconds.
StreamEnd Reflector::Impl::read_events(watch::Watcher& watcher, const StreamReading& reading,
                                       const runtime::StopToken& stop,
                                       const runtime::Channel<api::Error>& resync_errors) {
  StreamEnd end;
  bool is_in_order = reading.is_in_order || !options.ordered_versions;
  std::optional<runtime::Timer> warning;
  std::optional<runtime::TimePoint> last_event;
  while (true) {
    std::optional<watch::Event> event;
    std::optional<api::Error> resync_error;
    if (reading.ends_at_mark && !warning) {
      warning.emplace(runtime, kMarkIsLate, runtime::Location::current());
    }
    runtime::Select choice(runtime);
    choice.receive(stop.done(runtime));
    choice.receive(resync_errors, resync_error);
    choice.receive(watcher.result_channel(), event);
    if (warning) {
      choice.receive(warning->channel());
    }
    const std::size_t arm = choice.wait();
    if (arm == Arm::Stopped) {
      end.stop_requested = true;
      return end;
    }
    if (arm == Arm::ResyncFailed) {
      end.error = resync_error;
      return end;
    }
    if (arm == Arm::MarkIsLate) {
      log_late_mark(reading.start, last_event);
      warning.reset();
      continue;
    }
    if (!event) {
      return end;
    }
    if (event->type == watch::EventType::Error) {
      end.error = error_of(*event);
      return end;
    }
    if (acceptable(*event, options.refuses_tables || reading.ends_at_mark)) {
      // What is no addition is behind all that comes in no order.
      is_in_order = is_in_order || event->type != watch::EventType::Added;
      reading.take(*event, is_in_order);
      ++end.events;
      end.marked = reading.ends_at_mark && is_mark(*event);
      last_event = runtime.now();
    }
    if (end.marked) {
      return end;
    }
  }
}

/// An event of the wrong type is logged and skipped, as in the original: the stream is not given up
/// for it, and its revision does not count.
bool Reflector::Impl::acceptable(const watch::Event& event, bool refuses_tables) {
  if (!event.object) {
    log(runtime::LogLevel::Error, "an event without an object");
    return false;
  }
  if (refuses_tables && is_table(event.object->api_version, event.object->kind)) {
    log(runtime::LogLevel::Error, "an event with a Table, which is no object");
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
void Reflector::Impl::apply(const watch::Event& event, ReflectorStore* into) {
  api::Result<void> stored;
  switch (event.type) {
    case watch::EventType::Added:
      stored = into->add(Item(event.object));
      break;
    case watch::EventType::Modified:
      stored = into->update(Item(event.object));
      break;
    case watch::EventType::Deleted:
      stored = into->remove(Item(event.object));
      break;
    case watch::EventType::Bookmark:
      if (bookmark_store != nullptr && into == store.get()) {
        stored = bookmark_store->bookmark(event.object->metadata.resource_version);
      }
      break;
    case watch::EventType::Error:
      break;
  }
  if (!stored) {
    // The revision advances all the same: the event is lost until the next list.
    log(runtime::LogLevel::Error,
        fmt::format("unable to store {} of {}: {}", to_string(event.type),
                    key_of(event.object->metadata), stored.error().message));
  }
}

void Reflector::Impl::moved_to(const std::string& version) {
  set_last_version(version);
  options.metrics->reached(version);
  if (version_updater != nullptr) {
    version_updater->update_resource_version(version);
  }
}

}  // namespace watchlab::cache
