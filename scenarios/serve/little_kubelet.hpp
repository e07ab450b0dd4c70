#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/network/server_host.hpp"

namespace watchlab::scenarios {

/// Stands for the kubelets and the controller of deployments of a cluster, as far as commands wait
/// for them: some time after a pod came into being it is running and ready, and a deployment has as
/// many replicas as it asks for. A pod that is deleted goes after the same time. No pods are made
/// for a deployment, and nothing runs.
class LittleKubelet final : public sim::ExchangeObserver {
 public:
  /// Calls the work after that time, and never from within. Any thread may call it.
  using Later = std::function<void(runtime::Duration, std::function<void()>)>;

  explicit LittleKubelet(runtime::Duration after) : after_(after) {}

  /// Where it writes, and by what timer; what was written before waits for this. The host must
  /// outlive all that `later` will call.
  void use(sim::ServerHost& host, Later later);
  void changed(const sim::Exchange& /*exchange*/) override {}
  void wrote(const sim::Change& change) override;

 private:
  void complete_later(const api::GroupVersionResource& resource, const std::string& key);
  void complete(const api::GroupVersionResource& resource, const std::string& key);

  runtime::Duration after_;
  sim::ServerHost* host_ = nullptr;
  // These belong to the host's lock.
  Later later_;
  std::vector<std::pair<api::GroupVersionResource, std::string>> early_;
};

}  // namespace watchlab::scenarios
