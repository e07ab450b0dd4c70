#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "core/runtime/stop_token.hpp"

namespace watchlab::cache {

/// Says whether a cache, or a handler, has seen its first list.
/// Mirrors client-go tools/cache/shared_informer.go, InformerSynced.
using InformerSynced = std::function<bool()>;

/// Waits until all of them say yes; false when the stop came first. They are asked at once and then
/// every 100 ms, from the left to the first that says no.
/// Mirrors client-go tools/cache/shared_informer.go, WaitForCacheSync.
[[nodiscard]] bool wait_for_cache_sync(runtime::Runtime& runtime, const runtime::StopToken& stop,
                                       const std::vector<InformerSynced>& caches);

/// The same, and logs for whom it waits. Mirrors WaitForNamedCacheSync.
[[nodiscard]] bool wait_for_named_cache_sync(runtime::Runtime& runtime, std::string_view name,
                                             const runtime::StopToken& stop,
                                             const std::vector<InformerSynced>& caches);

}  // namespace watchlab::cache
