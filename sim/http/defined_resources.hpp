#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

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
  /// What the server does not do of a definition that is written: a sentence for each part.
  [[nodiscard]] static std::vector<std::string> remarks_on(const Request& request);

 private:
  /// What is served because it was defined: the versions of a custom resource.
  struct Defined {
    api::GroupVersionResource stored;  // what the store calls the collection
    std::set<api::GroupVersionResource> served;
  };
  using Transaction = ServerHost::Transaction;

  void define_custom_resources();
  static void withdraw(Transaction& host, const Defined& before, const Defined* now);

  std::shared_ptr<ServerHost> host_;
  std::map<std::string, Defined> custom_;  // by the name of the definition
};

}  // namespace watchlab::sim
