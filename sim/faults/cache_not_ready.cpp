#include "sim/faults/cache_not_ready.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace watchlab::sim {

namespace {

/// How long clients are asked to wait grows with the time that the cache has been away.
constexpr double growth_a_second = 0.06;
constexpr double retry_after_least = 1;
constexpr double retry_after_most = 30;

/// Whether the watch cache would have served it. A page of the newest state comes from the store.
bool is_for_the_cache(const Request& request) {
  if (request.verb == Verb::Watch) {
    return true;
  }
  const api::ListOptions& options = request.options;
  const bool has_selector = !options.label_selector.empty() || !options.field_selector.empty();
  return request.verb == Verb::List && options.continue_token.empty() &&
         (options.limit == 0 || options.resource_version == "0" || has_selector);
}

class CacheNotReady : public Fault {
 public:
  void strike(ControlPlane& /*servers*/, runtime::TimePoint now) override { since_ = now; }

  Verdict judge(const Passage& passage) override {
    if (passage.stage != Stage::Request || !is_for_the_cache(passage.request)) {
      return Pass{};
    }
    const double seconds = std::chrono::duration<double>(passage.now - since_).count();
    const double wait =
        std::clamp(std::exp(growth_a_second * seconds), retry_after_least, retry_after_most);
    api::Status status =
        api::failure(api::StatusReason::TooManyRequests, "storage is (re)initializing");
    status.details.retry_after_seconds = static_cast<std::int32_t>(wait);
    return Fail{api::error_from(std::move(status))};
  }

 private:
  runtime::TimePoint since_;
};

}  // namespace

FaultEntry cache_not_ready() {
  return {.name = "cache_not_ready",
          .numbers = {23},
          .doc = "A server's watch caches fill themselves again: what they would serve gets a 429.",
          .parameters = {},
          .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
            return std::make_unique<CacheNotReady>();
          }};
}

}  // namespace watchlab::sim
