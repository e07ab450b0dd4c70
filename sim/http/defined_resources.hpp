#pragma once

#include <memory>
#include <set>
#include <string>

#include "sim/network/server_host.hpp"

namespace watchlab::sim {

/// What is served beyond the types of a simulation: the built-in kinds of a real server, and each
/// custom resource from the moment in which it is defined. One thread.
class DefinedResources {
 public:
  explicit DefinedResources(std::shared_ptr<ServerHost> host);

  /// To be called with a request before it is served: it gets what a server fills in, such as the
  /// phase of a pod.
  static void before(Request& request);
  /// To be called when a write has been done.
  void after(const Request& request);

 private:
  void define_custom_resources();

  std::shared_ptr<ServerHost> host_;
  std::set<api::GroupVersionResource> custom_;  // what is served because it was defined
};

}  // namespace watchlab::sim
