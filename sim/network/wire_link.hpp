#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sim/network/byte_pipe.hpp"
#include "sim/network/server_host.hpp"

namespace watchlab::sim {

/// One connection of the wire transport: a pipe in each direction, and what only the world knows
/// about the bytes. Shared by client and server; any task may call any function.
class WireLink {
 public:
  WireLink(runtime::Runtime& runtime, runtime::Duration latency, runtime::StopToken stop);

  [[nodiscard]] const std::shared_ptr<BytePipe>& up() const { return up_; }      ///< to the server
  [[nodiscard]] const std::shared_ptr<BytePipe>& down() const { return down_; }  ///< to the client
  [[nodiscard]] const runtime::StopToken& stop() const { return stop_; }
  [[nodiscard]] runtime::Duration latency() const { return latency_; }

  /// The client drops the connection. May be called repeatedly.
  void give_up();

  /// The server has an answer; `stream` for an accepted watch.
  void answered(std::uint64_t message, std::shared_ptr<Stream> stream);
  [[nodiscard]] std::uint64_t answer();
  [[nodiscard]] std::shared_ptr<Stream> stream();
  /// The client finds out by itself that there will be no answer.
  void fail(api::Error failure);
  [[nodiscard]] std::optional<api::Error> failure();

  /// The numbers of the events in transit; 0 for one that the server has not sent.
  void sent(std::uint64_t message);
  [[nodiscard]] std::uint64_t received();

  /// The client ends the stream because it cannot read on.
  void end_by_client(StreamEnding ending);
  /// Set by `end_by_client`; not set by a client that just stops.
  [[nodiscard]] std::optional<StreamEnding> ending_by_client();

 private:
  runtime::StopToken stop_;
  runtime::Duration latency_;
  std::shared_ptr<BytePipe> up_;
  std::shared_ptr<BytePipe> down_;
  runtime::Mutex mutex_;
  std::uint64_t answer_ = 0;
  std::shared_ptr<Stream> stream_;
  std::optional<api::Error> failure_;
  std::deque<std::uint64_t> messages_;
  std::optional<StreamEnding> ending_by_client_;
};

/// Sends a message at this time, piece by piece, with its effect on the connection.
void transmit(BytePipe& pipe, const WireMessage& message, runtime::TimePoint leave);

}  // namespace watchlab::sim
