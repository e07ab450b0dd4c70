#include "sim/apiserver/control_plane.hpp"

#include <utility>

namespace watchlab::sim {

namespace {

constexpr unsigned kShiftOfServer = 32;

}  // namespace

ControlPlane::ControlPlane(ControlPlaneOptions options, runtime::TimePoint now)
    : options_(std::move(options)),
      writes_(store_, options_.writes),
      next_compaction_(now + options_.compaction_period) {
  for (const std::string& name : options_.namespaces) {
    Request request{.verb = Verb::Create, .resource = {"", "v1", "namespaces"}};
    request.object = std::make_shared<const api::Object>(api::Object{.metadata = {.name = name}});
    (void)writes_.handle(request, now);
  }
  for (std::size_t i = 0; i < options_.servers.size(); ++i) {
    servers_.push_back(std::make_unique<ApiServer>(store_, writes_, i, options_.servers[i]));
  }
}

Response ControlPlane::handle(std::size_t server, const Request& request, runtime::TimePoint now) {
  return change(now, [&] {
    make_room(now);
    return servers_.at(server)->handle(request, now);
  });
}

WatchPoll ControlPlane::poll(WatchId watch, runtime::TimePoint now) {
  return change(now, [&] { return servers_.at(watch >> kShiftOfServer)->poll(watch, now); });
}

void ControlPlane::catch_up(runtime::TimePoint now) {
  compact_when_due(now);
  for (const std::unique_ptr<ApiServer>& server : servers_) {
    server->catch_up(now);
  }
}

void ControlPlane::compact_when_due(runtime::TimePoint now) {
  if (options_.compaction_period <= runtime::Duration::zero()) {
    return;
  }
  while (next_compaction_ <= now) {
    if (compact_next_ > 0) {
      compact(compact_next_);
    }
    // Nothing was written since the period passed, so this is what a compactor saw at that time.
    compact_next_ = store_.revision();
    next_compaction_ += options_.compaction_period;
  }
}

/// Compacts early. That visits all objects, so the more there are, the less often it is done.
void ControlPlane::make_room(runtime::TimePoint now) {
  constexpr std::size_t kBytesInSecond = std::size_t{256} << 20;
  if (writes_.is_nearly_full() && now >= makes_room_again_ && !store_.log().empty()) {
    compact(store_.revision());
    makes_room_again_ = now + std::chrono::seconds(1 + store_.bytes() / kBytesInSecond);
  }
}

void ControlPlane::compact(Revision revision) {
  // Watch caches outlive the compaction, so they must exist before it.
  for (const std::unique_ptr<ApiServer>& server : servers_) {
    for (const api::GroupVersionResource& resource : store_.resources()) {
      if (const ResourceType* const type = types().find_stored(resource)) {
        (void)server->cache(*type);
      }
    }
  }
  store_.compact(revision);
}

void ControlPlane::take_woken(std::vector<WatchId>& woken) {
  for (const std::unique_ptr<ApiServer>& server : servers_) {
    server->take_woken(woken);
  }
}

void ControlPlane::withdraw(const api::GroupVersionResource& resource) {
  if (const ResourceType* const type = types().find(resource)) {
    for (const std::unique_ptr<ApiServer>& server : servers_) {
      server->withdraw(*type);
    }
    types().withdraw(resource);
  }
}

void ControlPlane::restore(Revision revision) {
  store_.restore(revision);
  for (const std::unique_ptr<ApiServer>& server : servers_) {
    server->restart();
  }
}

}  // namespace watchlab::sim
