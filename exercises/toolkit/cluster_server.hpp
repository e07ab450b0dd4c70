#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/cache/list_watch.hpp"
#include "core/runtime/interface.hpp"
#include "core/runtime/runtime.hpp"
#include "exercises/toolkit/remote_peer.hpp"

namespace watchlab::exercise {

/// One thing that is done to the server of a cluster, or to its network.
struct ServerAction {
  enum class Kind : std::uint8_t { Create, Update, Remove, Inject, Heal };

  Kind kind = Kind::Create;
  std::string name{};  ///< of an object; of a fault for the last two
  std::uint64_t times = 0;
  std::string answer{};
};

/// The part of a `Cluster` that is in the process of the library under test.
class ClusterServer : public runtime::Interface {
 public:
  /// All of it at one instant.
  virtual void carry_out(const std::vector<ServerAction>& deeds) = 0;
  /// What a reflector asks.
  [[nodiscard]] virtual std::shared_ptr<cache::ListerWatcher> source() = 0;
  /// As described at `Cluster`.
  [[nodiscard]] virtual std::string on_server() = 0;
  [[nodiscard]] virtual std::uint64_t requests() = 0;
  [[nodiscard]] virtual std::uint64_t watches_open() = 0;
};

/// A server in the simulated world of `runtime`.
[[nodiscard]] std::unique_ptr<ClusterServer> serve_cluster(runtime::Runtime& runtime);
/// The same, in the process that has the library under test.
[[nodiscard]] std::unique_ptr<ClusterServer> cluster_elsewhere(runtime::Runtime& runtime);

class RemoteClusterServer final
    : public course::Remote<ClusterServer, &ClusterServer::carry_out, &ClusterServer::source,
                            &ClusterServer::on_server, &ClusterServer::requests,
                            &ClusterServer::watches_open> {
 public:
  using Remote::Remote;

  void carry_out(const std::vector<ServerAction>& deeds) override {
    call<&ClusterServer::carry_out>(deeds);
  }
  [[nodiscard]] std::shared_ptr<cache::ListerWatcher> source() override {
    return call<&ClusterServer::source>();
  }
  [[nodiscard]] std::string on_server() override { return call<&ClusterServer::on_server>(); }
  [[nodiscard]] std::uint64_t requests() override { return call<&ClusterServer::requests>(); }
  [[nodiscard]] std::uint64_t watches_open() override {
    return call<&ClusterServer::watches_open>();
  }
};

}  // namespace watchlab::exercise

namespace watchlab::course {

template <>
struct RemoteTraits<exercise::ClusterServer> {
  using Proxy = exercise::RemoteClusterServer;
};

template <>
inline constexpr std::uint64_t kValuesOf<exercise::ServerAction::Kind> = 5;

/// A source stays in the process of its server; the other process has only its number. Listing or
/// watching there is a `Panic`, and so is passing a source that does not come from a cluster.
template <>
struct Coded<std::shared_ptr<cache::ListerWatcher>> {
  static void write(const Outgoing& out, const std::shared_ptr<cache::ListerWatcher>& source);
  static std::shared_ptr<cache::ListerWatcher> read(const Incoming& in);
};

}  // namespace watchlab::course
