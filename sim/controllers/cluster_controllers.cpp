#include "sim/controllers/cluster_controllers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace watchlab::sim {

std::shared_ptr<ClusterControllers> ClusterControllers::make(runtime::Runtime& runtime,
                                                             ClusterControllersOptions options) {
  return options.names.empty() ? nullptr
                               : std::shared_ptr<ClusterControllers>(
                                     new ClusterControllers(runtime, std::move(options)));
}

ClusterControllers::ClusterControllers(runtime::Runtime& runtime, ClusterControllersOptions options)
    : runtime_(runtime), options_(std::move(options)), bell_(runtime) {
  const std::vector<std::string> known = controller_names();
  for (const std::string& name : options_.names) {
    if (std::ranges::find(known, name) == known.end()) {
      throw std::invalid_argument(fmt::format("there is no controller '{}'", name));
    }
  }
  const bool has_replicas =
      std::ranges::find(options_.names, kReplicaController) != options_.names.end();
  for (const ControllerEntry& entry : controller_catalogue()) {
    if (std::ranges::find(options_.names, entry.name) != options_.names.end()) {
      const bool rolls = has_replicas && entry.name == kDeploymentController;
      controllers_.push_back(rolls ? make_rollout_controller(options_.settings)
                                   : entry.make(options_.settings));
    }
  }
}

void ClusterControllers::start(std::shared_ptr<ServerHost> host) {
  host->transact([&](ServerHost::Transaction& transaction) {
    for (const auto& controller : controllers_) {
      controller->begin(transaction);
    }
  });
  stop_.emplace(runtime_, runtime::Location::current());
  task_ = runtime::spawn(runtime_, "controllers",
                         [self = shared_from_this(), host = std::move(host),
                          stop = stop_->token()] { self->run(*host, stop); });
}

void ClusterControllers::stop() {
  if (task_) {
    stop_->stop();
    task_->join();
    task_.reset();
  }
}

void ClusterControllers::wrote(const Change& change) {
  bool has_work = false;
  for (const auto& controller : controllers_) {
    has_work = controller->wrote(change) || has_work;
  }
  if (has_work) {
    bell_.ring();
  }
}

void ClusterControllers::run(ServerHost& host, const runtime::StopToken& stop) {
  std::optional<runtime::TimePoint> due;
  while (bell_.sleep(stop, due) && bell_.sleep_through(stop, runtime_.now() + options_.latency)) {
    due = act(host);
  }
  bell_.rest();
}

std::optional<runtime::TimePoint> ClusterControllers::act(ServerHost& host) {
  std::optional<runtime::TimePoint> due;
  host.transact([&](ServerHost::Transaction& transaction) {
    for (const auto& controller : controllers_) {
      if (const auto next = controller->act(transaction)) {
        due = std::min(due.value_or(*next), *next);
      }
    }
  });
  return due;
}

}  // namespace watchlab::sim
