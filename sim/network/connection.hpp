#pragma once

#include <memory>
#include <string>

#include "core/cache/list_watch.hpp"
#include "sim/network/carrier.hpp"
#include "sim/network/server_host.hpp"
#include "sim/network/transport.hpp"

namespace watchlab::sim {

struct ConnectionOptions {
  std::string client = "client";  ///< who asks, for records and for the triggers of faults
  api::GroupVersionResource resource{"", "v1", "configmaps"};
  std::string namespace_;                                    ///< "" for all
  std::size_t server = 0;                                    ///< which API server it talks to
  runtime::Duration latency = std::chrono::milliseconds(1);  ///< of each message, one way
  Transport transport = Transport::Direct;
};

/// A client's connection to a server, for one collection: what a reflector lists and watches
/// through, and what a controller writes through. Every request passes the faults and is recorded.
/// Any task may call any function. It keeps the host alive, and so do its watches.
class Connection : public cache::ListerWatcher {
 public:
  Connection(std::shared_ptr<ServerHost> host, ConnectionOptions options);

  [[nodiscard]] api::Result<api::ObjectList> list(const runtime::StopToken& stop,
                                                  const api::ListOptions& options) override;
  /// As in client-go, a connection that ends before it has answered reads as a watch that ends at
  /// once, not as an error; a refused one is an error. Mirrors client-go rest/request.go, Watch.
  [[nodiscard]] api::Result<std::shared_ptr<watch::Watcher>> watch(
      const runtime::StopToken& stop, const api::ListOptions& options) override;

  /// Any request at all; client, resource and namespace are filled in.
  [[nodiscard]] api::Result<Response> request(const runtime::StopToken& stop, Request request);
  [[nodiscard]] api::Result<api::ObjectPtr> get(const runtime::StopToken& stop,
                                                const std::string& name,
                                                const std::string& resource_version = "");
  [[nodiscard]] api::Result<api::ObjectPtr> create(const runtime::StopToken& stop,
                                                   api::Object object);
  [[nodiscard]] api::Result<api::ObjectPtr> update(const runtime::StopToken& stop,
                                                   api::Object object);
  /// Server-side apply: the object shall have what is in the configuration, whose manager owns that
  /// from then on. With `force`, also what others own.
  [[nodiscard]] api::Result<api::ObjectPtr> apply(const runtime::StopToken& stop,
                                                  const api::Object& configuration,
                                                  const std::string& manager, bool force = false);
  [[nodiscard]] api::Result<void> remove(const runtime::StopToken& stop, const std::string& name,
                                         const DeleteOptions& options = {});

  /// The next requests go to another server; open watches stay where they are.
  void move_to(std::size_t server) { options_.server = server; }
  [[nodiscard]] const ConnectionOptions& options() const { return options_; }

 private:
  Carried ask(Request& request, const runtime::StopToken& stop);

  std::shared_ptr<ServerHost> host_;
  ConnectionOptions options_;
  std::unique_ptr<Carrier> carrier_;
};

}  // namespace watchlab::sim
