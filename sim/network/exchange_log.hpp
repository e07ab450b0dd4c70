#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/apiserver/control_plane.hpp"
#include "sim/network/exchange.hpp"

namespace watchlab::sim {

/// Records what passes between clients and servers: every request as an `Exchange`, and notes for
/// the trace. An observer sees both. Exchanges are numbered from 1 without gaps. They are dropped
/// only if the options limit how many are kept, and then only when they are over. Needs the host's
/// lock.
///
/// So that a picture can draw an arrow for each message, a message has a number. Its notes have the
/// kind `send`, `receive` or `lost`, the subject `m<number>` and the text `<from> <to> <what>`,
/// where neither name contains a space. A message that was sent and neither received nor lost was
/// still in transit.
class ExchangeLog {
 public:
  struct Options {
    bool notes = true;              ///< if false, only exchanges are recorded
    std::size_t exchanges_max = 0;  ///< see ServerHostOptions
  };
  /// `observer` may be null.
  ExchangeLog(runtime::Runtime& runtime, ControlPlane& servers, Options options,
              std::shared_ptr<ExchangeObserver> observer);

  /// A request leaves its client.
  Exchange& begin(std::size_t server, const Request& request);
  /// Its client has the answer, or has given up. `message` is 0 if none arrived.
  void finish(std::uint64_t number, std::uint64_t message, const api::Result<Response>& outcome);
  /// An event of the stream has reached the client, in this message.
  void arrived(const Exchange& exchange, const watch::Event& event, std::uint64_t message);
  /// The stream of a watch is over.
  void end_stream(Exchange& exchange, const StreamEnding& ending);
  void changed(const Exchange& exchange) const;
  /// Notes what the store has written since the last call. Returns false if that is nothing.
  bool note_writes();
  void note(std::string_view kind, std::string_view subject, const std::string& text);

  [[nodiscard]] Exchange& at(std::uint64_t number) {
    return number < first_ ? older_.at(number) : exchanges_.at(number - first_);
  }
  [[nodiscard]] std::uint64_t next_number() const { return first_ + exchanges_.size(); }
  [[nodiscard]] std::vector<Exchange> all() const;
  [[nodiscard]] bool all_answered() const { return requests_open_ == 0; }

  // Messages of one exchange; a sent one gets a number.

  std::uint64_t send(const Exchange& exchange, const Request& request);
  void receive(const Exchange& exchange, const Request& request, std::uint64_t message);
  std::uint64_t send(const Exchange& exchange, const Response& response);
  std::uint64_t send(const Exchange& exchange, const watch::Event& event);
  void lose(Exchange& exchange, const watch::Event& event);

 private:
  enum class Way : std::uint8_t { ToServer, ToClient };
  struct Hop {
    std::string_view kind;
    std::uint64_t message = 0;
    Way way = Way::ToServer;
  };

  void forget_oldest();
  void forget_if_over(const Exchange& exchange);
  void note_message(const Exchange& exchange, const Hop& hop, const std::string& what);
  [[nodiscard]] const std::string& server_name(const Exchange& exchange);

  runtime::Runtime& runtime_;
  ControlPlane& servers_;
  bool notes_;
  std::size_t exchanges_max_;
  std::shared_ptr<ExchangeObserver> observer_;
  std::uint64_t first_ = 1;                  // the number of the first of `exchanges_`
  std::deque<Exchange> exchanges_;           // the newest ones
  std::map<std::uint64_t, Exchange> older_;  // older ones that are not over
  std::size_t requests_open_ = 0;
  std::uint64_t next_message_ = 1;
  Revision noted_;  // up to which revision writes are noted
};

}  // namespace watchlab::sim
