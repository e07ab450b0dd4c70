#pragma once

#include <memory>
#include <set>
#include <string>

#include "sim/network/server_host.hpp"

namespace watchlab::sim {

/// What the controllers of a cluster do that people count on with kubectl: a namespace that is
/// deleted takes with it what it holds, a pod on a node has a grace period for its end, and a
/// custom resource is served from the moment in which it is defined. Nothing else of a cluster is
/// played: pods and deployments are data. One thread.
class ClusterControllers {
 public:
  explicit ClusterControllers(std::shared_ptr<ServerHost> host);

  /// To be called with a request before it is served: it gets what a server fills in, such as the
  /// phase of a namespace or of a pod.
  void before(Request& request);
  /// To be called when a write has been done.
  void after(const Request& request);

 private:
  void hold_if_it_has_contents(const std::string& namespace_name);
  void sweep();
  void define_custom_resources();

  std::shared_ptr<ServerHost> host_;
  std::set<std::string> terminating_;           // namespaces that go once they are empty
  std::set<api::GroupVersionResource> custom_;  // what is served because it was defined
};

}  // namespace watchlab::sim
