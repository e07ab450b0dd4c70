#include <chrono>
#include <utility>

#include "core/cache/reflector_impl.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/timer.hpp"

namespace watchlab::cache {
namespace {

/// The server is there and has no say against this watch in particular, or is not there at all: in
/// both cases a list would only cost more.
bool can_be_tried_again(const api::Error& error) {
  return error.kind == api::ErrorKind::ConnectionRefused || api::is_too_many_requests(error);
}

}  // namespace

api::Result<std::shared_ptr<watch::Watcher>> Reflector::Impl::open_watch(
    const runtime::StopToken& stop) {
  if (streamed) {
    // It is past its first state.
    stream_is_in_order = true;
    return std::exchange(streamed, nullptr);
  }
  const std::int64_t timeout = drawn_timeout();
  const std::string version = last_version();
  stream_is_in_order = !version.empty() && version != "0";
  return request_watch(stop, {.resource_version = version, .timeout_seconds = timeout});
}

/// A random end keeps the watches of many clients from ending all at once.
std::int64_t Reflector::Impl::drawn_timeout() {
  const std::chrono::duration<double> shortest = options.min_watch_timeout;
  return static_cast<std::int64_t>(shortest.count() * (watch_timeouts.fraction() + 1.0));
}

/// Mirrors the options of client-go watch. Bookmarks are asked for because they advance the
/// revision of a quiet resource, so that a later watch does not start from before the window.
api::Result<std::shared_ptr<watch::Watcher>> Reflector::Impl::request_watch(
    const runtime::StopToken& stop, api::ListOptions request) {
  note((request.send_initial_events ? "watch list rv=" : "watch rv=") + request.resource_version);
  options.metrics->watch_started();
  request.allow_watch_bookmarks = true;
  return lister_watcher->watch(stop, request);
}

/// Mirrors client-go watch. It returns to the list only when the stream cannot continue from the
/// last revision; every other end is followed by another watch.
api::Result<void> Reflector::Impl::watch(const runtime::StopToken& stop,
                                         const runtime::Channel<api::Error>& resync_errors) {
  RetryWithDeadline retry(runtime, {.max_retry = options.max_internal_error_retry_duration,
                                    .min_reset = std::chrono::minutes(1),
                                    .retriable = api::is_internal_error});
  while (!stop.stopped()) {
    const runtime::TimePoint start = runtime.now();
    const api::Result<std::shared_ptr<watch::Watcher>> watcher = open_watch(stop);
    if (!watcher) {
      const api::Error& error = watcher.error();
      if (error.kind == api::ErrorKind::Cancelled && stop.stopped()) {
        return {};
      }
      if (!can_be_tried_again(error)) {
        return error;
      }
      if (!pause(stop)) {
        return {};
      }
      continue;
    }
    const StreamEnd end = handle_watch(**watcher, start, stop, resync_errors);
    retry.after(end.error);
    if (!watch_again_after(end, retry, stop)) {
      return {};
    }
  }
  return {};
}

/// Mirrors the switch at the end of client-go watch. Expired means that events were lost, so a list
/// must come; too many requests and internal errors say nothing of the revision, so the same watch
/// is tried again.
bool Reflector::Impl::watch_again_after(const StreamEnd& end, RetryWithDeadline& retry,
                                        const runtime::StopToken& stop) {
  if (end.stop_requested) {
    return false;
  }
  if (!end.error) {
    note("watch closed");
    return true;
  }
  const api::Error& error = *end.error;
  note(fmt::format("watch ended: {}", error.message));
  if (api::is_expired(error) || api::is_gone(error)) {
    // The list that follows asks for the last revision; only if that too is refused for "".
    log(runtime::LogLevel::Debug, "watch closed with: " + error.message);
    return false;
  }
  if (api::is_too_many_requests(error)) {
    log(runtime::LogLevel::Debug, "watch throttled: " + error.message);
    return pause(stop);
  }
  if (api::is_internal_error(error) && retry.should_retry()) {
    log(runtime::LogLevel::Debug, "retrying watch after internal error: " + error.message);
    return true;
  }
  log(runtime::LogLevel::Warning, "watch ended with: " + error.message);
  return false;
}

api::Result<void> Reflector::Impl::watch_with_resync(const runtime::StopToken& stop) {
  runtime::StopSource cycle(runtime, stop);
  runtime::Channel<api::Error> errors(runtime, 1, "resync_errors");
  const runtime::Task resync =
      runtime::spawn(runtime, "resync", [self = shared_from_this(), token = cycle.token(), errors] {
        self->resync_until(token, errors);
      });
  api::Result<void> watched;
  runtime::run_then([&] { watched = watch(stop, errors); },
                    [&] {
                      cycle.stop();
                      // The stop came before the watch has taken it.
                      if (streamed) {
                        std::exchange(streamed, nullptr)->stop();
                      }
                      // Not joined, a resync that has begun may end after the cycle.
                      if (options.joins_resync) {
                        resync.join();
                      }
                    });
  return watched;
}

/// Mirrors client-go startResync. A failed resync ends the whole cycle by way of `errors`, which
/// has room for one error, so that this task ends also when no task reads it any more.
void Reflector::Impl::resync_until(const runtime::StopToken& stop,
                                   runtime::Channel<api::Error> errors) {
  while (true) {
    // A new timer each time: the period counts from the end of the resync before, and a slow one is
    // not made up for.
    std::optional<runtime::Timer> timer;
    if (options.resync_period > runtime::Duration::zero()) {
      timer.emplace(runtime, options.resync_period, runtime::Location::current());
    }
    runtime::Select choice(runtime);
    choice.receive(stop.done(runtime));
    choice.receive(timer ? timer->channel() : runtime::Channel<runtime::TimePoint>::nil(runtime));
    if (choice.wait() == 0) {
      if (timer) {
        timer->stop();
      }
      return;
    }
    if (options.should_resync && !options.should_resync()) {
      continue;
    }
    note("resync");
    if (api::Result<void> resynced = store->resync(); !resynced) {
      errors.send(resynced.error());
      return;
    }
  }
}

}  // namespace watchlab::cache
