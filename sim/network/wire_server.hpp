#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sim/network/http_names.hpp"
#include "sim/network/wire_link.hpp"

namespace watchlab::sim {

/// The server's end of one connection: reads a request from its bytes, passes it to the state
/// machine behind the host, and writes the answer and the events as bytes. Faults' verdicts on
/// messages are applied to their bytes here. One task runs it.
///
/// It writes the next event when the client has taken the previous one and waits for more, so a
/// slow client holds its watch back after as many events as on the direct transport. Also as there,
/// the client sees the end of a stream when the server ends it, and not before the stream counts as
/// ended.
class WireServer {
 public:
  WireServer(std::shared_ptr<ServerHost> host, std::shared_ptr<WireLink> link,
             ServerHost::Departure departure)
      : host_(std::move(host)), link_(std::move(link)), departure_(std::move(departure)) {}

  /// Serves the connection until its end.
  void run();

 private:
  [[nodiscard]] api::Result<HttpRequest> read_request();
  [[nodiscard]] std::optional<api::Error> refusal_of(const api::Result<HttpRequest>& http) const;
  void serve(const Request& request);
  void answer(const ServerHost::Reply& reply);
  void send_failure(const api::Error& error, runtime::TimePoint leave);

  [[nodiscard]] StreamEnding carry_events(Stream& stream);
  /// How the stream ended, if one of the events or its bytes ended it.
  [[nodiscard]] std::optional<StreamEnding> send(const stream_step::Deliver& step);
  void send(const stream_step::End& step);
  /// Bytes that end the connection are kept until the stream counts as over.
  void send_bytes(WireMessage message, runtime::TimePoint leave);
  [[nodiscard]] bool rest(Stream& stream, std::optional<runtime::TimePoint> wake_at);
  /// Waits until a delayed end may leave. Returns false if the client has gone before.
  [[nodiscard]] bool wait_to_end(Stream& stream, runtime::TimePoint leave);
  /// When something must leave in order to arrive at this time, if nothing before it is later.
  [[nodiscard]] runtime::TimePoint to_arrive_at(runtime::TimePoint time) const {
    return time - link_->latency();
  }
  [[nodiscard]] runtime::TimePoint now() { return host_->runtime().now(); }

  std::shared_ptr<ServerHost> host_;
  std::shared_ptr<WireLink> link_;
  ServerHost::Departure departure_;
  struct LastBytes {
    WireMessage message;
    runtime::TimePoint leave;
  };
  std::optional<LastBytes> last_bytes_;  // of a watch
  std::string held_;                     // bytes that wait for the next message
  std::optional<runtime::TimePoint> held_until_;
};

}  // namespace watchlab::sim
