#include "core/cache/wait_for_cache_sync.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/wait/loop.hpp"

namespace watchlab::cache {

bool wait_for_cache_sync(runtime::Runtime& runtime, const runtime::StopToken& stop,
                         const std::vector<InformerSynced>& caches) {
  return wait::poll_immediate_until(runtime, std::chrono::milliseconds(100), stop, [&caches] {
    return std::all_of(caches.begin(), caches.end(),
                       [](const InformerSynced& has_synced) { return has_synced(); });
  });
}

bool wait_for_named_cache_sync(runtime::Runtime& runtime, std::string_view name,
                               const runtime::StopToken& stop,
                               const std::vector<InformerSynced>& caches) {
  using runtime::LogLevel;
  runtime.log(LogLevel::Info, fmt::format("waiting for caches to sync for {}", name));
  const bool synced = wait_for_cache_sync(runtime, stop, caches);
  runtime.log(
      synced ? LogLevel::Info : LogLevel::Error,
      fmt::format("{} for {}", synced ? "caches are synced" : "unable to sync caches", name));
  return synced;
}

}  // namespace watchlab::cache
