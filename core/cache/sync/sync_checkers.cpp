#include <fmt/format.h>

#include <utility>

#include "core/cache/real_fifo.hpp"
#include "core/cache/shared_index_informer_impl.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"

namespace watchlab::cache {
namespace {

/// Mirrors the goroutines of client-go 0.36 that pass a sync on: they give up at the stop.
bool wait_for_done(runtime::Runtime& runtime, const DoneChecker& checker,
                   const runtime::StopToken& stop) {
  runtime::Select choice(runtime);
  choice.receive(checker.done);
  choice.receive(stop.done(runtime));
  return choice.wait() == 0;
}

}  // namespace

DoneChecker RealFIFO::has_synced_checker() {
  const runtime::Lock lock(mutex_);
  return {.name = options_.name, .done = state_.write().synced.channel(runtime_)};
}

DoneChecker Controller::has_synced_checker() const {
  auto* const queue = dynamic_cast<SignalsSync*>(options_.queue.get());
  if (queue == nullptr) {
    throw runtime::Panic("only a RealFIFO says by a channel that it has synced");
  }
  return queue->has_synced_checker();
}

/// A channel that a task closes when `wait` says yes, from the start of the run on. The started
/// lock must be held. Without a checker there is neither: a run that no task asks is as before
/// 0.36.
runtime::Channel<runtime::Unit> SharedIndexInformer::Impl::done_when(
    std::function<bool(const runtime::StopToken& stop)> wait) {
  runtime::Channel<runtime::Unit> done(runtime, 0, "informer_synced");
  // Weak, because an informer that never runs keeps this.
  auto body = [weak = weak_from_this(), done, wait = std::move(wait)] {
    const std::shared_ptr<Impl> self = weak.lock();
    runtime::spawn(self->runtime, "informer-synced",
                   [self, done, wait, stop = self->stop_of_run]() mutable {
                     if (wait(stop)) {
                       done.close();
                     }
                   });
  };
  if (started) {
    body();
  } else {
    waits.emplace_back(std::move(body));
  }
  return done;
}

/// The started lock must be held.
void SharedIndexInformer::Impl::begin_waits(const runtime::StopToken& stop) {
  stop_of_run = stop;
  for (const std::function<void()>& begin : std::exchange(waits, {})) {
    begin();
  }
}

DoneChecker SharedIndexInformer::Impl::has_synced_checker() {
  const runtime::Lock lock(started_mutex);
  if (!synced) {
    synced = {.name = "SharedIndexInformer " + options.reflector.name,
              .done = done_when([this](const runtime::StopToken& stop) {
                return wait_for_done(runtime, controller->has_synced_checker(), stop);
              })};
  }
  return *synced;
}

/// Mirrors client-go watchSynced: upstream first, then what its handler still has to do.
DoneChecker SharedIndexInformer::Registration::has_synced_checker() {
  const DoneChecker upstream = informer->has_synced_checker();
  const runtime::Lock lock(informer->started_mutex);
  if (!synced_) {
    synced_ = {
        .name = fmt::format("{} + event handler {}", upstream.name, listener->handler_name()),
        .done = informer->done_when([&runtime = informer->runtime, upstream,
                                     listener = listener](const runtime::StopToken& stop) {
          return wait_for_done(runtime, upstream, stop) && listener->wait_until_handled(stop);
        })};
  }
  return *synced_;
}

}  // namespace watchlab::cache
