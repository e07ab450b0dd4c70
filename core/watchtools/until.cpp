#include "core/watchtools/until.hpp"

#include <utility>

#include "core/cache/informer.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/timer.hpp"
#include "core/watchtools/informer_watcher.hpp"

namespace watchlab::watchtools {
namespace {

using runtime::Channel;
using runtime::Duration;
using runtime::TimePoint;
using runtime::Unit;

/// The clock of one wait, which starts when this is made.
class Deadline {
 public:
  Deadline(runtime::Runtime& runtime, const WaitLimit& limit)
      : stopped_(limit.stop.done(runtime)), elapsed_(Channel<TimePoint>::nil(runtime)) {
    if (limit.timeout > Duration::zero()) {
      timer_.emplace(runtime, limit.timeout, runtime::Location::current());
      elapsed_ = timer_->channel();
    }
  }

  /// Waits for an event, which may be none at the end of the watch; false when the time was up.
  bool next(runtime::Runtime& runtime, const Channel<watch::Event>& events,
            std::optional<watch::Event>& event) const {
    runtime::Select choice(runtime);
    choice.receive(events, event).receive(stopped_).receive(elapsed_);
    return choice.wait() == 0;
  }
  void stop() {
    if (timer_) {
      timer_->stop();
    }
  }

 private:
  Channel<Unit> stopped_;
  Channel<TimePoint> elapsed_;
  std::optional<runtime::Timer> timer_;
};

api::Error timed_out() {
  return {.kind = api::ErrorKind::Timeout, .message = "timed out waiting for the condition"};
}

api::Error watch_closed() {
  return {.kind = api::ErrorKind::Closed,
          .message = "watch closed before UntilWithoutRetry timeout"};
}

UntilResult failed(api::Error error) { return {.error = std::move(error)}; }

/// Where the conditions stand.
struct Progress {
  std::size_t fulfilled = 0;
  UntilResult result;
};

/// Offers events to one condition after the other until all are fulfilled or one fails. `next` puts
/// an event into the result, or returns false: there is none, and the result says why.
template <typename Next>
Progress offer(std::span<const Condition> conditions, Next next) {
  Progress progress;
  UntilResult& result = progress.result;
  for (const Condition& condition : conditions) {
    // The event that fulfilled the condition before may fulfil this one too.
    bool is_there = result.last.has_value();
    bool fulfilled = false;
    while (!fulfilled) {
      if (!std::exchange(is_there, false) && !next(result)) {
        return progress;
      }
      const api::Result<bool> answer = condition(*result.last);
      if (!answer.ok()) {
        result.error = answer.error();
        return progress;
      }
      fulfilled = *answer;
    }
    ++progress.fulfilled;
  }
  return progress;
}

UntilResult read_until(runtime::Runtime& runtime, const Deadline& deadline,
                       const Channel<watch::Event>& events, std::span<const Condition> conditions) {
  const auto next = [&](UntilResult& result) {
    std::optional<watch::Event> event;
    const bool in_time = deadline.next(runtime, events, event);
    if (!event) {
      result.error = in_time ? watch_closed() : timed_out();
      return false;
    }
    result.last = std::move(event);
    return true;
  };
  return offer(conditions, next).result;
}

Progress offer_list(const api::ObjectList& list, std::span<const Condition> conditions) {
  return offer(conditions, [&list, item = list.items.begin()](UntilResult& result) mutable {
    if (item == list.items.end()) {
      return false;
    }
    result.last = watch::Event{.type = watch::EventType::Added, .object = *item++};
    return true;
  });
}

}  // namespace

UntilResult until_without_retry(runtime::Runtime& runtime, const WaitLimit& limit,
                                watch::Watcher& watcher, std::span<const Condition> conditions) {
  const Channel<watch::Event> events = watcher.result_channel();
  Deadline deadline(runtime, limit);
  UntilResult result;
  runtime::run_then([&] { result = read_until(runtime, deadline, events, conditions); },
                    [&] {
                      deadline.stop();
                      watcher.stop();
                    });
  return result;
}

UntilResult until(runtime::Runtime& runtime, UntilOptions options,
                  std::span<const Condition> conditions) {
  const api::Result<std::shared_ptr<RetryWatcher>> watcher = RetryWatcher::make(
      runtime, {.initial_resource_version = std::move(options.initial_resource_version),
                .watch = std::move(options.watch),
                .stop = options.limit.stop});
  if (!watcher.ok()) {
    return failed(watcher.error());
  }
  return until_without_retry(runtime, options.limit, **watcher, conditions);
}

UntilResult list_watch_until(runtime::Runtime& runtime, const WaitLimit& limit,
                             cache::ListerWatcher& source, std::span<const Condition> conditions) {
  if (conditions.empty()) {
    return {};
  }
  const api::Result<api::ObjectList> list = source.list(limit.stop, {});
  if (!list.ok()) {
    return failed(list.error());
  }
  Progress progress = offer_list(*list, conditions);
  if (!progress.result.ok() || progress.fulfilled == conditions.size()) {
    return progress.result;
  }
  api::ListOptions options;
  options.resource_version = list->resource_version;
  const api::Result<std::shared_ptr<watch::Watcher>> watcher = source.watch(limit.stop, options);
  if (!watcher.ok()) {
    return failed(watcher.error());
  }
  UntilResult result =
      until_without_retry(runtime, limit, **watcher, conditions.subspan(progress.fulfilled));
  if (!result.ok() && result.error->kind == api::ErrorKind::Closed) {
    result.error = timed_out();
  }
  return result;
}

namespace {

/// A stop that comes by itself when the limit is reached, as context.WithTimeout.
class LimitedStop {
 public:
  LimitedStop(runtime::Runtime& runtime, const WaitLimit& limit)
      : parent_(limit.stop), source_(runtime, limit.stop) {
    if (limit.timeout > Duration::zero()) {
      clock_ = runtime::spawn(runtime, "until_with_sync.clock",
                              [this, &runtime, timeout = limit.timeout] {
                                runtime::Timer timer(runtime, timeout);
                                runtime::Select choice(runtime);
                                choice.receive(timer.channel());
                                choice.receive(source_.token().done(runtime));
                                if (choice.wait() == 0) {
                                  source_.stop();
                                } else {
                                  timer.stop();
                                }
                              });
    }
  }

  [[nodiscard]] runtime::StopToken token() const { return source_.token(); }
  /// Why it stopped, to be asked only then.
  [[nodiscard]] api::Error reason() const {
    const bool cancelled = parent_.stopped();
    return {.kind = cancelled ? api::ErrorKind::Cancelled : api::ErrorKind::Timeout,
            .message = cancelled
                           ? "UntilWithSync: unable to sync caches: context canceled"
                           : "UntilWithSync: unable to sync caches: context deadline exceeded"};
  }
  void end() {
    source_.stop();
    if (clock_.valid()) {
      clock_.join();
    }
  }

 private:
  runtime::StopToken parent_;
  runtime::StopSource source_;
  runtime::Task clock_;
};

/// What lives as long as one call.
struct Wait {
  runtime::Runtime& runtime;
  LimitedStop stop;
  InformerWatcher informer;

  UntilResult run(const Precondition& precondition, std::span<const Condition> conditions) {
    if (precondition) {
      const bool synced = cache::wait_for_cache_sync(
          runtime, stop.token(), {[this] { return informer.controller->has_synced(); }});
      if (!synced) {
        return failed(stop.reason());
      }
      const api::Result<bool> holds = precondition(*informer.indexer);
      if (!holds.ok()) {
        return failed(holds.error());
      }
      if (*holds) {
        return {};
      }
    }
    return until_without_retry(runtime, {.stop = stop.token()}, *informer.watcher, conditions);
  }

  void end() {
    informer.watcher->stop();
    // A caller may use things in the lister-watcher that end with the call.
    informer.done.receive();
    stop.end();
  }
};

}  // namespace

UntilResult until_with_sync(runtime::Runtime& runtime, UntilWithSyncOptions options,
                            std::span<const Condition> conditions) {
  Wait wait{.runtime = runtime,
            .stop = LimitedStop(runtime, options.limit),
            .informer = new_indexer_informer_watcher(runtime, std::move(options.lister_watcher),
                                                     std::move(options.machine),
                                                     std::move(options.reflector))};
  UntilResult result;
  runtime::run_then([&] { result = wait.run(options.precondition, conditions); },
                    [&wait] { wait.end(); });
  return result;
}

}  // namespace watchlab::watchtools
