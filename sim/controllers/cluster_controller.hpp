#pragma once

#include <cstddef>
#include <optional>

#include "core/runtime/time.hpp"
#include "sim/network/server_host.hpp"

namespace watchlab::sim {

/// One of the controllers that make a cluster of a server: it sees every write, and answers some of
/// them with writes of its own. It has no task, lock or clock: `ClusterControllers` has. A write
/// that it makes is one of the world, as those of the script are: no fault meets it, and no client
/// asked for it.
class ClusterController {
 public:
  /// How many objects it looks at while it holds the host: others wait for it, so the rest is due
  /// at once, behind them.
  static constexpr std::size_t kAtOnceMax = 400;

  ClusterController() = default;
  ClusterController(const ClusterController&) = delete;
  ClusterController& operator=(const ClusterController&) = delete;
  virtual ~ClusterController() = default;

  /// Called once, before any client; may write.
  virtual void begin(ServerHost::Transaction& /*host*/) {}
  /// A write was done. Returns whether there is something to do now. Called with the host's lock
  /// held, also within `act`: it must not call the host.
  [[nodiscard]] virtual bool wrote(const Change& change) = 0;
  /// Does what is due. Returns when it must be called again, even if nothing is written.
  virtual std::optional<runtime::TimePoint> act(ServerHost::Transaction& host) = 0;
};

}  // namespace watchlab::sim
