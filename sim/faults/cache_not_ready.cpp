#include "sim/faults/cache_not_ready.hpp"

#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {

namespace {

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
  void strike(ControlPlane& servers, runtime::TimePoint now) override {
    since_ = now;
    set_filling(servers, true);
  }
  void heal(ControlPlane& servers, runtime::TimePoint /*now*/) override {
    set_filling(servers, false);
  }

  Verdict judge(const Passage& passage) override {
    if (passage.stage != Stage::Request || !is_for_the_cache(passage.request)) {
      return Pass{};
    }
    return Fail{api::error_from(status_bodies::cache_not_ready(passage.now - since_))};
  }

 private:
  static void set_filling(ControlPlane& servers, bool filling) {
    for (std::size_t i = 0; i < servers.server_count(); ++i) {
      servers.server(i).set_filling(filling);
    }
  }

  runtime::TimePoint since_;
};

}  // namespace

FaultEntry cache_not_ready() {
  return {.name = "cache_not_ready",
          .numbers = {23},
          .doc =
              "Watch caches fill themselves again: lists and watches of theirs get a 429, single "
              "objects come from the store.",
          .parameters = {},
          .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
            return std::make_unique<CacheNotReady>();
          }};
}

}  // namespace watchlab::sim
