#include "core/cache/controller.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "core/runtime/recover.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/wait_group.hpp"
#include "core/wait/loop.hpp"

namespace watchlab::cache {
namespace {

/// So long the process loop rests after it came back although nothing stopped it.
constexpr runtime::Duration kProcessLoopPause = std::chrono::seconds(1);

}  // namespace

Controller::Controller(runtime::Runtime& runtime, ControllerOptions options)
    : runtime_(runtime),
      options_(std::move(options)),
      reflector_mutex_(runtime, "controller_reflector") {}

/// Of a batch there is no item that could be put back.
Popped Controller::process_next() {
  auto* const queue =
      options_.process_batch ? dynamic_cast<QueueWithBatch*>(options_.queue.get()) : nullptr;
  if (queue == nullptr) {
    return options_.queue->pop(options_.process);
  }
  return {.item = {}, .outcome = queue->pop_batch(options_.process_batch, options_.process)};
}

void Controller::process_until_closed(const runtime::StopToken& stop) {
  while (!options_.leaves_at_stop || !stop.stopped()) {
    const Popped popped = process_next();
    if (popped.outcome) {
      continue;
    }
    if (popped.outcome.error().kind == api::ErrorKind::Closed) {
      return;
    }
    if (options_.retry_on_error) {
      put_back(popped.item);
    }
  }
}

/// Queues of later releases take nothing back: the item is lost then, as without `retry_on_error`.
void Controller::put_back(const PopItem& item) const {
  if (auto* const queue = dynamic_cast<RequeuingQueue*>(options_.queue.get())) {
    (void)queue->add_if_not_present(item);
  }
}

void Controller::process_once_or_crash(const runtime::StopToken& stop) {
  if (options_.crash_on_panic) {
    process_until_closed(stop);
    return;
  }
  if (const auto panic = runtime::recover([&] { process_until_closed(stop); })) {
    runtime_.log(runtime::LogLevel::Error, fmt::format("{}: panic in the process loop: {}",
                                                       options_.reflector.name, panic->message));
  }
}

void Controller::run(const runtime::StopToken& stop) {
  runtime::spawn(runtime_, "queue-closer", [&runtime = runtime_, stop, queue = options_.queue] {
    stop.done(runtime).receive();
    queue->close();
  });
  auto reflector = std::make_shared<Reflector>(runtime_, options_.lister_watcher, options_.queue,
                                               options_.reflector);
  {
    const runtime::WriteLock lock(reflector_mutex_);
    reflector_ = reflector;
  }
  // Shared with the task: a panic in the process loop leaves while the reflector still runs.
  auto group = std::make_shared<runtime::WaitGroup>(runtime_, "controller");
  group->start("reflector", [group, reflector, stop] { reflector->run(stop); });
  wait::until(runtime_, kProcessLoopPause, stop, [&] { process_once_or_crash(stop); });
  group->wait();
}

bool Controller::has_synced() const { return options_.queue->has_synced(); }

std::string Controller::last_sync_resource_version() const {
  const runtime::ReadLock lock(reflector_mutex_);
  return reflector_ ? reflector_->last_sync_resource_version() : "";
}

}  // namespace watchlab::cache
