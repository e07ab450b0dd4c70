#include <utility>

#include "core/cache/reflector_impl.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/timer.hpp"

namespace watchlab::cache {

api::Result<void> Reflector::Impl::watch_with_resync(const runtime::StopToken& stop) {
  runtime::StopSource cycle(runtime, stop);
  runtime::Channel<api::Error> errors(runtime, 1, "resync_errors");
  runtime::spawn(runtime, "resync", [self = shared_from_this(), token = cycle.token(), errors] {
    self->resync_until(token, errors);
  });
  api::Result<void> watched;
  // The task is told to stop and not waited for: a resync that has begun may end after the cycle.
  runtime::run_then([&] { watched = watch(stop, errors); }, [&] { cycle.stop(); });
  return watched;
}

void Reflector::Impl::resync_until(const runtime::StopToken& stop,
                                   runtime::Channel<api::Error> errors) {
  while (true) {
    // A new timer each time: the period counts from the end of the resync before, and a slow one is
    // not made up for.
    std::optional<runtime::Timer> timer;
    if (options.resync_period > runtime::Duration::zero()) {
      timer.emplace(runtime, options.resync_period);
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
