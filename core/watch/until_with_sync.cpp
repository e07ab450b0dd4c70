#include "core/watch/until_with_sync.hpp"

#include <utility>

#include "core/cache/wait_for_cache_sync.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/timer.hpp"
#include "core/watch/informer_watcher.hpp"

namespace watchlab::watch {
namespace {

using runtime::Duration;

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
                           : "UntilWithSync: unable to sync caches: context deadline exceeded",
            .status = {}};
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
        return {.last = std::nullopt, .error = stop.reason()};
      }
      const api::Result<bool> holds = precondition(*informer.indexer);
      if (!holds.ok()) {
        return {.last = std::nullopt, .error = holds.error()};
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
                                                     std::move(options.reflector))};
  UntilResult result;
  const auto panic = runtime::recover([&] { result = wait.run(options.precondition, conditions); });
  wait.end();
  if (panic) {
    std::rethrow_exception(panic->exception);
  }
  return result;
}

}  // namespace watchlab::watch
