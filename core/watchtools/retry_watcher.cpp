#include "core/watchtools/retry_watcher.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/runtime/recover.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/timer.hpp"

namespace watchlab::watchtools {

using runtime::Channel;
using runtime::Duration;
using runtime::Location;
using runtime::LogLevel;
using runtime::Unit;

namespace {

constexpr std::int32_t kGone = 410;

/// What comes after one watch.
struct Verdict {
  bool done = false;
  Duration retry_after = Duration::zero();
};

constexpr Verdict kDone{.done = true};
constexpr Verdict kRetry{};

watch::Event error_event(api::Status status) {
  return {.type = watch::EventType::Error,
          .status = std::make_shared<const api::Status>(std::move(status))};
}

/// Mirrors apimachinery api/errors, NewInternalError.
watch::Event internal_error(const std::string& message) {
  api::Status status = api::failure(api::StatusReason::InternalError,
                                    fmt::format("Internal error occurred: {}", message));
  status.details.causes = {{.reason = "", .message = message, .field = ""}};
  return error_event(std::move(status));
}

bool is_permission_refused(const api::Error& error) {
  return error.kind == api::ErrorKind::Status &&
         (error.status.reason == api::StatusReason::Forbidden ||
          error.status.reason == api::StatusReason::Unauthorized);
}

}  // namespace

class RetryWatcher::State final : public RetryWatcher {
 public:
  State(runtime::Runtime& runtime, RetryWatcherOptions options, Location here)
      : runtime_(runtime),
        options_(std::move(options)),
        stop_(runtime, options_.stop, here),
        stopped_(stop_.token().done(runtime)),
        last_resource_version_(options_.initial_resource_version),
        result_(runtime, 0, "retry_watcher.result", here),
        done_(runtime, 0, "retry_watcher.done", here) {}

  void run();
  void stop(Location here) override { stop_.stop(here); }
  [[nodiscard]] const Channel<watch::Event>& result_channel() const override { return result_; }
  [[nodiscard]] const Channel<Unit>& done() const override { return done_; }

 private:
  void watch_until_done();
  [[nodiscard]] Verdict watch_once();
  [[nodiscard]] Verdict after_failure(const api::Error& error);
  [[nodiscard]] Verdict forward(watch::Watcher& watcher);
  [[nodiscard]] std::optional<Verdict> after(const watch::Event& event);
  [[nodiscard]] std::optional<Verdict> after_change(const watch::Event& event);
  [[nodiscard]] Verdict after_error(const watch::Event& event);
  [[nodiscard]] bool send(watch::Event event);
  [[nodiscard]] Verdict give_up(watch::Event event);
  template <typename T>
  [[nodiscard]] bool stopped_before(const Channel<T>& channel);

  runtime::Runtime& runtime_;
  const RetryWatcherOptions options_;
  runtime::StopSource stop_;
  Channel<Unit> stopped_;
  std::string last_resource_version_;  ///< never "" nor "0"; the watching task's own
  Channel<watch::Event> result_;
  Channel<Unit> done_;
};

void RetryWatcher::State::run() {
  runtime::run_then([this] { watch_until_done(); },
                    [this] {
                      result_.close();
                      done_.close();
                    });
}

/// Mirrors client-go receive. There are two pauses: what the server asked for, and the least time
/// between two starts, which has run since this watch started.
void RetryWatcher::State::watch_until_done() {
  const runtime::StopToken token = stop_.token();
  while (!token.stopped()) {
    // Armed before the watch: the delay counts from start to start.
    runtime::Timer next_start(runtime_, options_.restart_delay_min);
    const Verdict verdict = watch_once();
    if (verdict.done) {
      next_start.stop();
      return;
    }
    if (verdict.retry_after > Duration::zero()) {
      runtime::Timer pause(runtime_, verdict.retry_after);
      if (stopped_before(pause.channel())) {
        pause.stop();
      }
    }
    if (stopped_before(next_start.channel())) {
      next_start.stop();
    }
  }
}

/// Mirrors client-go doReceive. The watch begins right behind the last event that the reader has
/// received, so that none is missed and none comes twice.
Verdict RetryWatcher::State::watch_once() {
  api::ListOptions options;
  options.resource_version = last_resource_version_;
  options.allow_watch_bookmarks = true;
  const api::Result<std::shared_ptr<watch::Watcher>> watcher =
      options_.watch(stop_.token(), options);
  if (!watcher.ok()) {
    return after_failure(watcher.error());
  }
  if (*watcher == nullptr) {
    runtime_.log(LogLevel::Error, "the watch function gave no watcher");
    return kRetry;
  }
  Verdict verdict;
  runtime::run_then([&] { verdict = forward(**watcher); }, [&] { (*watcher)->stop(); });
  return verdict;
}

/// A refused permission does not go away by asking again, so it ends the watch with the Status as
/// its last event; every other failure may be over at the next try.
Verdict RetryWatcher::State::after_failure(const api::Error& error) {
  if (is_permission_refused(error)) {
    runtime_.log(LogLevel::Error, fmt::format("the watch is not permitted: {}", error.message));
    // When the event does not get through, a stop is under way, and the loop will see it.
    return send(error_event(error.status)) ? kDone : kRetry;
  }
  runtime_.log(LogLevel::Info, fmt::format("the watch failed: {}", error.message));
  return kRetry;
}

/// Passes events on until the stream ends or an event says that this watch is over.
Verdict RetryWatcher::State::forward(watch::Watcher& watcher) {
  const Channel<watch::Event> events = watcher.result_channel();
  while (true) {
    std::optional<watch::Event> event;
    runtime::Select choice(runtime_);
    choice.receive(stopped_).receive(events, event);
    if (choice.wait() == 0) {
      return kDone;
    }
    if (!event) {
      return kRetry;
    }
    if (const std::optional<Verdict> verdict = after(*event)) {
      return *verdict;
    }
  }
}

/// Nothing when the watch continues.
std::optional<Verdict> RetryWatcher::State::after(const watch::Event& event) {
  switch (event.type) {
    case watch::EventType::Added:
    case watch::EventType::Modified:
    case watch::EventType::Deleted:
    case watch::EventType::Bookmark:
      return after_change(event);
    case watch::EventType::Error:
      return after_error(event);
  }
  // Its revision would be skipped, and with it data that a reader may need: going on is no option.
  return give_up(internal_error(
      fmt::format("RetryWatcher failed to recognize Event type {}", static_cast<int>(event.type))));
}

std::optional<Verdict> RetryWatcher::State::after_change(const watch::Event& event) {
  if (event.object == nullptr) {
    return give_up(internal_error("RetryWatcher: an event without an object has no revision"));
  }
  const std::string& resource_version = event.object->metadata.resource_version;
  if (resource_version.empty()) {
    return give_up(internal_error(fmt::format("RetryWatcher: object {} has no resourceVersion",
                                              api::key_of(event.object->metadata))));
  }
  if (event.type != watch::EventType::Bookmark && !send(event)) {
    return kDone;
  }
  // Only now: an event that did not reach the reader must come again.
  last_resource_version_ = resource_version;
  return std::nullopt;
}

/// Gone is the one answer after which events are lost for certain: only a new list could help,
/// which is the reader's part.
Verdict RetryWatcher::State::after_error(const watch::Event& event) {
  if (event.status == nullptr) {
    runtime_.log(LogLevel::Error, "the watch reported an error that is no Status");
    return kRetry;
  }
  if (event.status->code == kGone) {
    return give_up(event);
  }
  runtime_.log(LogLevel::Info,
               fmt::format("the watch reported an error: {}", event.status->message));
  return {.done = false,
          .retry_after = std::chrono::seconds(event.status->details.retry_after_seconds)};
}

/// False when the watcher was stopped instead.
bool RetryWatcher::State::send(watch::Event event) {
  runtime::Select choice(runtime_);
  choice.send(result_, std::move(event)).receive(stopped_);
  return choice.wait() == 0;
}

/// Whether the event still reaches the reader makes no difference.
Verdict RetryWatcher::State::give_up(watch::Event event) {
  if (!send(std::move(event))) {
    runtime_.log(LogLevel::Debug, "a stopped RetryWatcher does not report its last error");
  }
  return kDone;
}

template <typename T>
bool RetryWatcher::State::stopped_before(const Channel<T>& channel) {
  runtime::Select choice(runtime_);
  choice.receive(stopped_).receive(channel);
  return choice.wait() == 0;
}

api::Result<std::shared_ptr<RetryWatcher>> RetryWatcher::make(runtime::Runtime& runtime,
                                                              RetryWatcherOptions options,
                                                              Location here) {
  const std::string& initial = options.initial_resource_version;
  if (initial.empty() || initial == "0") {
    return api::Error{
        .message = fmt::format(
            "initial RV \"{}\" is not supported due to issues with underlying WATCH", initial)};
  }
  auto state = std::make_shared<State>(runtime, std::move(options), here);
  runtime::spawn(
      runtime, "retry_watcher", [state] { state->run(); }, here);
  return std::shared_ptr<RetryWatcher>(std::move(state));
}

}  // namespace watchlab::watchtools
