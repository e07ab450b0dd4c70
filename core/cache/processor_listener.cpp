#include "core/cache/processor_listener.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "core/runtime/recover.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "core/wait/loop.hpp"

namespace watchlab::cache {
namespace {

constexpr runtime::Duration kPauseAfterPanic = std::chrono::seconds(1);

}  // namespace

ProcessorListener::ProcessorListener(runtime::Runtime& runtime, ProcessorListenerOptions options)
    : runtime_(runtime),
      options_(std::move(options)),
      incoming_(runtime, 0, "listener_add"),
      outgoing_(runtime, 0, "listener_next"),
      pending_(options_.buffer_size),
      tracker_(runtime, options_.upstream_has_synced),
      resync_mutex_(runtime, "listener_resync"),
      resync_period_(options_.resync_period) {
  schedule_next_resync(runtime.now());
}

void ProcessorListener::add(NotificationPtr notification) {
  const auto* added = std::get_if<AddNotification>(notification.get());
  if (added != nullptr && added->is_in_initial_list) {
    tracker_.start();
  }
  incoming_.send(std::move(notification));
}

void ProcessorListener::close() { incoming_.close(); }

/// Mirrors client-go pop. This task takes everything that is distributed and holds it without
/// bound, so that the informer never waits for a handler. The send is part of the select only while
/// there is something to send, as a nil channel would be in Go.
void ProcessorListener::pop() {
  std::optional<NotificationPtr> next;
  while (true) {
    std::optional<NotificationPtr> arrived;
    runtime::Select choice(runtime_);
    choice.receive(incoming_, arrived);
    if (next) {
      choice.send(outgoing_, *next);
    }
    if (choice.wait() == 1) {
      next = pending_.pop();
      continue;
    }
    if (!arrived) {
      break;
    }
    if (next) {
      pending_.push(*std::move(arrived));
    } else {
      next = std::move(arrived);
    }
  }
  outgoing_.close();
}

/// Mirrors client-go run: after a panic of a handler the loop starts again a second later, with the
/// notification behind the one that failed.
void ProcessorListener::run() {
  if (options_.rests_before_next) {
    run_with_rests_before_next();
    return;
  }
  runtime::StopSource ended(runtime_);
  wait::until(runtime_, kPauseAfterPanic, ended.token(), [this, &ended] {
    if (options_.crash_on_panic) {
      call_handler_until_closed();
    } else if (const auto panic = runtime::recover([this] { call_handler_until_closed(); })) {
      log_panic(panic->message);
      return;
    }
    ended.stop();
  });
}

/// Mirrors client-go 0.33 run. A panic delays the next notification by a second, whenever that
/// comes; nothing cuts the rest short.
void ProcessorListener::run_with_rests_before_next() {
  bool rests = false;
  while (const std::optional<NotificationPtr> next = outgoing_.receive()) {
    if (rests) {
      runtime::sleep_for(runtime_, kPauseAfterPanic);
    }
    if (options_.crash_on_panic) {
      call_handler(**next);
      continue;
    }
    const auto panic = runtime::recover([&] { call_handler(**next); });
    rests = panic.has_value();
    if (panic) {
      log_panic(panic->message);
    }
  }
}

void ProcessorListener::log_panic(const std::string& message) const {
  runtime_.log(runtime::LogLevel::Error, fmt::format("a handler panicked: {}", message));
}

void ProcessorListener::call_handler_until_closed() {
  while (const std::optional<NotificationPtr> next = outgoing_.receive()) {
    call_handler(**next);
  }
}

void ProcessorListener::call_handler(const Notification& notification) {
  ResourceEventHandler& handler = *options_.handler;
  if (const auto* update = std::get_if<UpdateNotification>(&notification)) {
    handler.on_update(update->old_object, update->new_object);
  } else if (const auto* add = std::get_if<AddNotification>(&notification)) {
    handler.on_add(add->object, add->is_in_initial_list);
    if (add->is_in_initial_list) {
      tracker_.finished();
    }
  } else {
    handler.on_delete(std::get<DeleteNotification>(notification).item);
  }
}

/// Mirrors client-go shouldResync. The period is the listener's own; zero takes no part in resyncs.
bool ProcessorListener::should_resync(runtime::TimePoint now) {
  const runtime::Lock lock(resync_mutex_);
  return resync_period_ > runtime::Duration::zero() && now >= next_resync_;
}

void ProcessorListener::schedule_next_resync(runtime::TimePoint now) {
  const runtime::Lock lock(resync_mutex_);
  next_resync_ = now + resync_period_;
}

void ProcessorListener::set_resync_period(runtime::Duration period) {
  const runtime::Lock lock(resync_mutex_);
  resync_period_ = period;
}

runtime::Duration ProcessorListener::resync_period() const {
  const runtime::Lock lock(resync_mutex_);
  return resync_period_;
}

}  // namespace watchlab::cache
