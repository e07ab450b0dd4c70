#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/cache/list_watch.hpp"
#include "core/watch/watch.hpp"
#include "sim/network/server_host.hpp"

namespace watchlab::sim {

/// How messages get from clients to servers and back.
enum class Transport : std::uint8_t {
  Direct,  ///< as values: fast, for exploring schedules
  Wire,    ///< as HTTP/1.1 over byte streams, which faults can cut, tear and slow down anywhere
};

/// A watch that the server has accepted, before its client reads it.
class OpenedStream {
 public:
  OpenedStream() = default;
  OpenedStream(const OpenedStream&) = delete;
  OpenedStream& operator=(const OpenedStream&) = delete;
  virtual ~OpenedStream() = default;

  /// Starts reading. Call it once; `stop` ends the watch as its own `stop` does.
  [[nodiscard]] virtual std::shared_ptr<watch::Watcher> start(const runtime::StopToken& stop) = 0;
  /// Call it instead if the client will not read it.
  virtual void give_up() = 0;
};

/// What a client receives for a request.
struct Carried {
  api::Result<Response> response;
  std::unique_ptr<OpenedStream> stream{};  ///< of an accepted watch; even with a failure
  std::uint64_t message = 0;               ///< the number of the answer; 0 if none arrived
};

/// Carries requests of one client to the server and the answers back: one class per transport. Any
/// task may call it.
class Carrier {
 public:
  Carrier() = default;
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;
  virtual ~Carrier() = default;

  /// Blocks until the answer, its failure, or `stop`.
  [[nodiscard]] virtual Carried carry(const ServerHost::Departure& departure,
                                      const Request& request, const runtime::StopToken& stop) = 0;
};

/// Messages are values; each takes the latency.
[[nodiscard]] std::unique_ptr<Carrier> make_direct_carrier(std::shared_ptr<ServerHost> host,
                                                           runtime::Duration latency);
/// Messages are bytes of HTTP/1.1; each byte takes the latency. A connection serves one request.
[[nodiscard]] std::unique_ptr<Carrier> make_wire_carrier(std::shared_ptr<ServerHost> host,
                                                         runtime::Duration latency);

/// Waits for a message to arrive. Returns false if `stop` comes first.
[[nodiscard]] bool travel(runtime::Runtime& runtime, const runtime::StopToken& stop,
                          runtime::Duration way);
/// Extra delay before a message is sent.
[[nodiscard]] runtime::Duration lateness(const Verdict& verdict);
/// What a client receives that no longer waits.
[[nodiscard]] api::Error cancelled();

struct ConnectionOptions {
  std::string client = "client";  ///< whose requests, for records and for fault triggers
  api::GroupVersionResource resource{"", "v1", "configmaps"};
  std::string namespace_;                                    ///< "" for all
  std::size_t server = 0;                                    ///< which API server it talks to
  runtime::Duration latency = std::chrono::milliseconds(1);  ///< of each message, one way
  Transport transport = Transport::Direct;
};

/// A client's connection to a server, for one collection: a reflector lists and watches through it,
/// and a controller writes through it. Every request passes the faults and is recorded. Any task
/// may call any function. It keeps the host alive, and so do its watches.
class Connection : public cache::ListerWatcher {
 public:
  Connection(std::shared_ptr<ServerHost> host, ConnectionOptions options);

  [[nodiscard]] api::Result<api::ObjectList> list(const runtime::StopToken& stop,
                                                  const api::ListOptions& options) override;
  /// As in client-go, a connection that ends before it has answered reads as a watch that ends at
  /// once, not as an error; a refused one is an error. Mirrors client-go rest/request.go, Watch.
  [[nodiscard]] api::Result<std::shared_ptr<watch::Watcher>> watch(
      const runtime::StopToken& stop, const api::ListOptions& options) override;

  /// Any request; client, resource and namespace are filled in.
  [[nodiscard]] api::Result<Response> request(const runtime::StopToken& stop, Request request);
  [[nodiscard]] api::Result<api::ObjectPtr> get(const runtime::StopToken& stop,
                                                const std::string& name,
                                                const std::string& resource_version = "");
  [[nodiscard]] api::Result<api::ObjectPtr> create(const runtime::StopToken& stop,
                                                   api::Object object);
  [[nodiscard]] api::Result<api::ObjectPtr> update(const runtime::StopToken& stop,
                                                   api::Object object);
  /// Server-side apply: the object gets what is in the configuration, whose manager then owns it.
  /// With `force`, also what others own.
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
