#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/api/result.hpp"
#include "core/runtime/mutex.hpp"
#include "sim/apiserver/control_plane.hpp"
#include "sim/network/exchange_log.hpp"
#include "sim/network/fault_injection.hpp"
#include "sim/network/open_streams.hpp"

namespace watchlab::sim {

struct ServerHostOptions {
  ControlPlaneOptions servers;
  bool notes = true;              ///< whether requests, writes and messages are noted
  std::size_t exchanges_max = 0;  ///< how many finished ones are kept; 0 for all
  /// The minimum time between a client's taking an event of a stream and the arrival of the next. 0
  /// for none.
  runtime::Duration events_apart{0};
};

/// Runs the servers of a world: gives the pure state machine a lock and a clock. `FaultInjection`
/// decides about everything that passes, `ExchangeLog` records it, `OpenStreams` carries the
/// events. They need the lock, which only the host takes. Clients use `Connection`; stories change
/// the server's objects directly, bypassing the network. Any task may call any function.
/// Connections and watches keep the host alive, because the task of a stopped watch ends a moment
/// later.
///
/// Its notes: `request` (subject: the client; text: `LIST rv=0 limit=500 → 200 rv=12`), `write`
/// (subject: the object's key; text: `ADDED configmaps rv=3`), `fault` (subject: the fault's name;
/// text: what it did), `stream` (subject: the client; text: `closed`, `cut` and so on), and those
/// of messages, see `ExchangeLog`.
class ServerHost : public std::enable_shared_from_this<ServerHost> {
 public:
  /// `observer` may be null.
  static std::shared_ptr<ServerHost> make(runtime::Runtime& runtime, ServerHostOptions options = {},
                                          std::shared_ptr<ExchangeObserver> observer = nullptr);

  /// What a story may do to the servers while it holds the host's lock.
  class Transaction {
   public:
    /// A request that no client sends and no fault affects; for writes.
    Response write(Request request, std::size_t server = 0);
    /// Injects a fault; its immediate effect on the servers happens now.
    FaultId add_fault(FaultRule rule);
    /// Heals a fault. Returns false if it was not in place.
    bool remove_fault(FaultId fault);
    /// How many messages a fault has affected; 0 if it is not in place.
    [[nodiscard]] std::int64_t acted(FaultId fault) const { return host_.faults_.acted(fault); }
    [[nodiscard]] ControlPlane& servers() { return host_.servers_; }
    /// When it began: it takes no time, and a clock that is read for each of many writes is what a
    /// loop that waits reads.
    [[nodiscard]] runtime::TimePoint now() const { return now_; }

   private:
    friend class ServerHost;
    Transaction(ServerHost& host, runtime::TimePoint now) : host_(host), now_(now) {}
    ServerHost& host_;
    runtime::TimePoint now_;
  };
  /// Several changes in one step: no client sees a state between them. The streams and requests
  /// that they concern are woken at the end.
  void transact(const std::function<void(Transaction&)>& body,
                runtime::Location here = runtime::Location::current());
  /// Reads the servers' current state, and wakes nothing.
  void look(const std::function<void(ControlPlane&)>& body);
  /// How many messages a fault has affected; 0 if it is not in place.
  [[nodiscard]] std::int64_t acted(FaultId fault);
  /// One write in one step.
  Response write(Request request, runtime::Location here = runtime::Location::current());
  FaultId add_fault(FaultRule rule, runtime::Location here = runtime::Location::current());
  bool remove_fault(FaultId fault, runtime::Location here = runtime::Location::current());
  /// All requests so far, in the order in which they were sent.
  [[nodiscard]] std::vector<Exchange> exchanges();
  /// Whether no request is in transit and no event waits for a client that has room.
  [[nodiscard]] bool idle();
  [[nodiscard]] runtime::Runtime& runtime() { return runtime_; }
  [[nodiscard]] runtime::Duration events_apart() const { return options_.events_apart; }

  /// The rest is for the carriers of connections and for `WatchStream`.

  /// A request that leaves its client.
  struct Departure {
    std::uint64_t exchange = 0;
    std::uint64_t message = 0;
    Verdict verdict;
  };
  [[nodiscard]] Departure depart(std::size_t server, const Request& request);
  /// An answer that leaves its server. `stream` is set for an accepted watch.
  struct Reply {
    Response response;
    std::uint64_t message = 0;
    Verdict verdict;
    std::string fault;  ///< whose verdict it is
    std::shared_ptr<Stream> stream;
  };
  /// Passes an arrived request to its server and waits for the answer. Returns nothing if `stop`
  /// comes first.
  [[nodiscard]] std::optional<Reply> serve(const Departure& departure, Request request,
                                           const runtime::StopToken& stop);
  /// The same for a carrier that cannot wait: returns a time instead of the reply if the server has
  /// to wait. Call it again with the same request then, or earlier.
  [[nodiscard]] std::variant<Reply, runtime::TimePoint> try_serve(const Departure& departure,
                                                                  Request& request);
  /// The client has its answer, or has given up. `message` is 0 if none arrived.
  void finish(std::uint64_t exchange, std::uint64_t message, const api::Result<Response>& outcome);
  /// For a carrier that cannot sleep: calls `listener` for news of the stream, with the host's lock
  /// held and on any thread, until the stream has ended.
  void listen(Stream& stream, std::function<void()> listener);
  /// What an open stream does next, at this time.
  [[nodiscard]] StreamStep next_step(Stream& stream);
  /// Events have reached the client.
  void arrived(Stream& stream, const stream_step::Deliver& delivered);
  /// The stream is over.
  void end_stream(Stream& stream, const StreamEnding& ending);

 private:
  ServerHost(runtime::Runtime& runtime, ServerHostOptions options,
             std::shared_ptr<ExchangeObserver> observer);

  // All of these need the lock.
  Response write_now(Request& request, std::size_t server, runtime::TimePoint now);
  Response answer(std::size_t server, Request& request, runtime::Lock& lock,
                  const runtime::StopToken& stop);
  Reply reply_to(const Departure& departure, const Request& request, Response response);
  void open_stream(Reply& reply, const Exchange& exchange, const Request& request);
  void ring_waiting();

  runtime::Runtime& runtime_;
  ServerHostOptions options_;
  runtime::Mutex mutex_;
  ControlPlane servers_;
  ExchangeLog log_;
  FaultInjection faults_;
  OpenStreams streams_;
  std::vector<std::shared_ptr<WakeUp>> waiting_;  // requests that wait for a server to catch up
};

}  // namespace watchlab::sim
