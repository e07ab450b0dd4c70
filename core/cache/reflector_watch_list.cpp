#include <utility>

#include "core/cache/cache.hpp"
#include "core/cache/reflector_impl.hpp"
#include "core/cache/sync/consistency_detector.hpp"
#include "core/runtime/task.hpp"

namespace watchlab::cache {
namespace {

/// What collects a streamed list for a store: transforms as the store does, which does it again.
Cache collector_for(runtime::Runtime& runtime, const ReflectorStore& store) {
  const auto* const transforming = dynamic_cast<const TransformingStore*>(&store);
  return Cache(
      runtime, deletion_handling_meta_namespace_key, {},
      {.transformer = transforming == nullptr ? TransformFunction() : transforming->transformer()});
}

}  // namespace

/// Never "0": the list shall be at least what the store has, or the latest.
api::Result<std::shared_ptr<watch::Watcher>> Reflector::Impl::open_watch_list(
    const runtime::StopToken& stop) {
  const std::int64_t timeout = drawn_timeout();
  const std::string version = relist_version();
  return request_watch(stop, {.resource_version = version == "0" ? "" : version,
                              .resource_version_match = api::ResourceVersionMatch::NotOlderThan,
                              .timeout_seconds = timeout,
                              .send_initial_events = true});
}

/// Mirrors what client-go watchList does after errors. The pause cannot be cut short by a stop, as
/// in the original (live in 0.37).
bool Reflector::Impl::asks_again_after(const api::Error& error) {
  if (error.kind == api::ErrorKind::ConnectionRefused || api::is_too_many_requests(error)) {
    runtime::sleep_for(runtime, options.backoff->next());
    return true;
  }
  if (api::is_expired(error) || api::is_gone(error) || api::is_too_large_resource_version(error)) {
    set_version_unavailable(true);
    return true;
  }
  return false;
}

/// Mirrors client-go watchList. A stream that ends before its mark is asked for again from nothing,
/// without a pause and without a limit, as in the original (live in 0.37).
api::Result<void> Reflector::Impl::watch_list(const runtime::StopToken& stop) {
  while (!stop.stopped()) {
    Cache collected = collector_for(runtime, *store);
    std::string version;
    const auto take = [&](const watch::Event& event, bool moves) {
      apply(event, &collected);
      if (moves) {
        version = event.object->metadata.resource_version;
      }
    };
    const runtime::TimePoint start = runtime.now();
    const api::Result<std::shared_ptr<watch::Watcher>> stream = open_watch_list(stop);
    std::optional<api::Error> error;
    StreamEnd end;
    if (stream) {
      end = read_stream(**stream,
                        {.start = start, .is_in_order = false, .ends_at_mark = true, .take = take},
                        stop, runtime::Channel<api::Error>::nil(runtime));
      error = end.error;
    } else if (stream.error().kind != api::ErrorKind::Cancelled || !stop.stopped()) {
      error = stream.error();
    }
    if (end.marked) {
      const api::ObjectList list{.resource_version = version, .items = collected.list()};
      check_consistency(list, stop);
      return take_over_stream(*stream, list);
    }
    if (error && !asks_again_after(*error)) {
      return *error;
    }
  }
  return {};
}

/// Mirrors client-go checkWatchListDataConsistencyIfRequested. What the server says is compared
/// with what was collected, so both go through the transformer once.
void Reflector::Impl::check_consistency(const api::ObjectList& list,
                                        const runtime::StopToken& stop) {
  if (!options.checks_consistency) {
    return;
  }
  const auto* const transforming = dynamic_cast<const TransformingStore*>(store.get());
  check_data_consistency(
      runtime, stop, *lister_watcher,
      {.name = options.name,
       .resource_version = list.resource_version,
       .items = list.items,
       .transformer = transforming == nullptr ? TransformFunction() : transforming->transformer()});
}

/// A list that the store refuses leaves its stream open, as in the original (live in 0.37).
api::Result<void> Reflector::Impl::take_over_stream(std::shared_ptr<watch::Watcher> stream,
                                                    const api::ObjectList& list) {
  if (api::Result<void> taken = take_over(list); !taken) {
    return taken;
  }
  streamed = std::move(stream);
  return {};
}

}  // namespace watchlab::cache
