#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/stop_token.hpp"
#include "core/runtime/task.hpp"
#include "sim/controllers/controller_catalogue.hpp"
#include "sim/network/server_host.hpp"

namespace watchlab::sim {

struct ClusterControllersOptions {
  std::vector<std::string> names;  ///< of `controller_catalogue()`, in any order
  ControllerSettings settings = {};
  /// How long after a write they answer it.
  runtime::Duration latency = std::chrono::milliseconds(1);
};

/// Those controllers that a world has switched on, in one task on its clock. Made before the host,
/// of which it is an observer. `start` and `stop` belong to one task.
class ClusterControllers final : public ExchangeObserver,
                                 public std::enable_shared_from_this<ClusterControllers> {
 public:
  /// Null if the options name none. Throws `std::invalid_argument` for an unknown name.
  static std::shared_ptr<ClusterControllers> make(runtime::Runtime& runtime,
                                                  ClusterControllersOptions options);

  /// Lets each begin, at once, and starts the task.
  void start(std::shared_ptr<ServerHost> host);
  /// Ends the task, and waits for it. Idempotent.
  void stop();

  void changed(const Exchange& /*exchange*/) override {}
  void wrote(const Change& change) override;

 private:
  ClusterControllers(runtime::Runtime& runtime, ClusterControllersOptions options);
  void run(ServerHost& host, const runtime::StopToken& stop);
  [[nodiscard]] std::optional<runtime::TimePoint> act(ServerHost& host);

  runtime::Runtime& runtime_;
  ClusterControllersOptions options_;
  std::vector<std::unique_ptr<ClusterController>> controllers_;
  WakeUp bell_;
  std::optional<runtime::StopSource> stop_;
  std::optional<runtime::Task> task_;
};

}  // namespace watchlab::sim
