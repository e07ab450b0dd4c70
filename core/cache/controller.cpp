#include "core/cache/controller.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "core/runtime/recover.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/wait_group.hpp"
#include "core/wait/loop.hpp"

namespace watchlab::cache {
namespace {

/// So long the process loop rests after it came back although nothing stopped it.
constexpr runtime::Duration kProcessLoopPause = std::chrono::seconds(1);

}  // namespace

struct Controller::Impl {
  Impl(runtime::Runtime& runtime_in, ControllerOptions options_in)
      : runtime(runtime_in),
        options(std::move(options_in)),
        reflector_mutex(runtime, "controller_reflector") {}

  void process_until_closed();
  void process_once_or_crash();

  runtime::Runtime& runtime;
  ControllerOptions options;
  mutable runtime::SharedMutex reflector_mutex;
  std::shared_ptr<Reflector> reflector;  ///< guarded by reflector_mutex; null before run
};

void Controller::Impl::process_until_closed() {
  while (true) {
    const Popped popped = options.queue->pop(options.process);
    if (popped.outcome) {
      continue;
    }
    if (popped.outcome.error().kind == api::ErrorKind::Closed) {
      return;
    }
    if (options.retry_on_error) {
      (void)options.queue->add_if_not_present(popped.item);
    }
  }
}

void Controller::Impl::process_once_or_crash() {
  if (options.crash_on_panic) {
    process_until_closed();
    return;
  }
  if (const auto panic = runtime::recover([this] { process_until_closed(); })) {
    runtime.log(runtime::LogLevel::Error, fmt::format("{}: panic in the process loop: {}",
                                                      options.reflector.name, panic->message));
  }
}

Controller::Controller(runtime::Runtime& runtime, ControllerOptions options)
    : impl_(std::make_shared<Impl>(runtime, std::move(options))) {}

Controller::~Controller() = default;

void Controller::run(const runtime::StopToken& stop) {
  runtime::Runtime& runtime = impl_->runtime;
  runtime::spawn(runtime, "queue-closer", [&runtime, stop, queue = impl_->options.queue] {
    stop.done(runtime).receive();
    queue->close();
  });
  auto reflector = std::make_shared<Reflector>(runtime, impl_->options.lister_watcher,
                                               impl_->options.queue, impl_->options.reflector);
  {
    const runtime::WriteLock lock(impl_->reflector_mutex);
    impl_->reflector = reflector;
  }
  // Shared with the task: a panic in the process loop leaves while the reflector still runs.
  auto group = std::make_shared<runtime::WaitGroup>(runtime, "controller");
  group->start("reflector", [group, reflector, stop] { reflector->run(stop); });
  wait::until(runtime, kProcessLoopPause, stop, [this] { impl_->process_once_or_crash(); });
  group->wait();
}

bool Controller::has_synced() const { return impl_->options.queue->has_synced(); }

std::string Controller::last_sync_resource_version() const {
  const runtime::ReadLock lock(impl_->reflector_mutex);
  return impl_->reflector ? impl_->reflector->last_sync_resource_version() : "";
}

}  // namespace watchlab::cache
