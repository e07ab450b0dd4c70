#include "core/cache/reflector.hpp"

#include <chrono>
#include <utility>

#include "core/cache/reflector_impl.hpp"
#include "core/wait/loop.hpp"

namespace watchlab::cache {

RetryWithDeadline::RetryWithDeadline(runtime::Runtime& runtime, RetryDeadline deadline)
    : runtime_(runtime), deadline_(std::move(deadline)) {}

/// Mirrors client-go After. The series begins anew when the error before lies further back than
/// `min_reset`: errors that are rare do not add up.
void RetryWithDeadline::after(const std::optional<api::Error>& error) {
  if (!error || !deadline_.retriable(*error)) {
    return;
  }
  const runtime::TimePoint now = runtime_.now();
  if (last_ && now - *last_ >= deadline_.min_reset) {
    forget();
  }
  if (!first_) {
    first_ = now;
  }
  last_ = now;
}

/// Mirrors client-go ShouldRetry. The time counts from the first error of the series, and after a
/// no the next error begins another one.
bool RetryWithDeadline::should_retry() {
  if (deadline_.max_retry <= runtime::Duration::zero()) {
    return false;
  }
  if (first_ && runtime_.now() - *first_ <= deadline_.max_retry) {
    return true;
  }
  forget();
  return false;
}

void RetryWithDeadline::forget() {
  first_.reset();
  last_.reset();
}

namespace {

constexpr runtime::Duration kMinWatchTimeout = std::chrono::minutes(5);

std::string describe(const ReflectorOptions& options) {
  if (!options.type_description.empty()) {
    return options.type_description;
  }
  if (options.kind.empty()) {
    return "<unspecified>";
  }
  return fmt::format("{}, Kind={}", options.api_version, options.kind);
}

ReflectorOptions completed(runtime::Runtime& runtime, ReflectorOptions options) {
  options.type_description = describe(options);
  options.min_watch_timeout = std::max(options.min_watch_timeout, kMinWatchTimeout);
  if (!options.backoff) {
    options.backoff = std::make_shared<wait::ExponentialBackoffManager>(
        runtime, wait::ExponentialBackoffOptions{.since_start = options.resets_delay});
  }
  if (!options.metrics) {
    options.metrics = std::make_shared<ReflectorMetrics>();
  }
  return options;
}

std::string in_milliseconds(runtime::Duration delay) {
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(delay).count();
  return "backoff " + std::to_string(milliseconds) + " ms";
}

}  // namespace

/// Mirrors client-go DefaultWatchErrorHandler. The three ends differ in loudness only: an orderly
/// end and a window that has moved on are part of a normal life, anything else may be a fault.
void log_watch_error(runtime::Runtime& runtime, const std::string& type_description,
                     const api::Error& error) {
  using runtime::LogLevel;
  if (error.kind == api::ErrorKind::Eof) {
    return;
  }
  if (api::is_expired(error) || api::is_gone(error)) {
    runtime.log(LogLevel::Debug,
                fmt::format("watch of {} closed with: {}", type_description, error.message));
  } else if (error.kind == api::ErrorKind::UnexpectedEof) {
    runtime.log(LogLevel::Info, fmt::format("watch of {} closed with unexpected EOF: {}",
                                            type_description, error.message));
  } else {
    runtime.log(LogLevel::Error,
                fmt::format("failed to watch {}: {}", type_description, error.message));
  }
}

Reflector::Impl::Impl(runtime::Runtime& runtime_in,
                      std::shared_ptr<ListerWatcher> lister_watcher_in,
                      std::shared_ptr<ReflectorStore> store_in, ReflectorOptions options_in)
    : runtime(runtime_in),
      lister_watcher(std::move(lister_watcher_in)),
      store(std::move(store_in)),
      options(completed(runtime, std::move(options_in))),
      version_updater(dynamic_cast<ResourceVersionUpdater*>(store.get())),
      bookmark_store(dynamic_cast<ReflectorBookmarkStore*>(store.get())),
      streams_lists(options.streams_lists && !lister_watcher->is_watch_list_unsupported()),
      watch_timeouts(runtime, "watch_timeout"),
      version_mutex(runtime, "last_sync_resource_version") {}

bool Reflector::Impl::pause(const runtime::StopToken& stop) {
  runtime::Timer& timer = options.backoff->backoff();
  note(in_milliseconds(options.backoff->last_delay()));
  return wait::wait_for_timer(runtime, timer, stop);
}

std::string Reflector::Impl::last_version() const {
  const runtime::ReadLock lock(version_mutex);
  return last_sync_version;
}

void Reflector::Impl::set_last_version(const std::string& version) {
  const runtime::WriteLock lock(version_mutex);
  last_sync_version = version;
}

void Reflector::Impl::set_version_unavailable(bool unavailable) {
  const runtime::WriteLock lock(version_mutex);
  last_version_unavailable = unavailable;
}

/// Mirrors client-go relistResourceVersion.
std::string Reflector::Impl::relist_version() const {
  const runtime::ReadLock lock(version_mutex);
  if (last_version_unavailable) {
    // The server no longer has, or does not yet have, what was asked for: the latest will do.
    return "";
  }
  // "0" lets the server answer from its cache, which spares its database when all clients start.
  return last_sync_version.empty() ? "0" : last_sync_version;
}

Reflector::Reflector(runtime::Runtime& runtime, std::shared_ptr<ListerWatcher> lister_watcher,
                     std::shared_ptr<ReflectorStore> store, ReflectorOptions options)
    : impl_(std::make_shared<Impl>(runtime, std::move(lister_watcher), std::move(store),
                                   std::move(options))) {}

Reflector::~Reflector() = default;

/// Mirrors client-go Run, whose BackoffUntil is written out here because the pause is noted.
void Reflector::run(const runtime::StopToken& stop) {
  impl_->note("start");
  while (!stop.stopped()) {
    if (const api::Result<void> cycle = list_and_watch(stop); !cycle) {
      if (impl_->options.watch_error_handler) {
        impl_->options.watch_error_handler(*this, cycle.error());
      } else {
        log_watch_error(impl_->runtime, type_description(), cycle.error());
      }
    }
    // Every end of a cycle costs a pause, a harmless one too: a server that closes at once must not
    // be asked in a busy loop.
    if (!impl_->pause(stop)) {
      break;
    }
  }
  impl_->note("stop");
}

api::Result<void> Reflector::list_and_watch(const runtime::StopToken& stop) {
  if (impl_->streams_lists) {
    const api::Result<void> streamed = impl_->watch_list(stop);
    if (streamed && impl_->streamed == nullptr) {
      return {};
    }
    if (!streamed) {
      impl_->log(runtime::LogLevel::Warning,
                 "no streamed list, so a list: " + streamed.error().message);
    }
  }
  if (impl_->streamed != nullptr) {
    return impl_->watch_with_resync(stop);
  }
  if (api::Result<void> listed = impl_->list(stop); !listed) {
    return listed;
  }
  return impl_->watch_with_resync(stop);
}

std::string Reflector::last_sync_resource_version() const { return impl_->last_version(); }

const std::string& Reflector::name() const { return impl_->options.name; }

const std::string& Reflector::type_description() const { return impl_->options.type_description; }

}  // namespace watchlab::cache
