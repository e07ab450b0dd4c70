#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/error.hpp"
#include "core/api/result.hpp"
#include "core/runtime/runtime.hpp"
#include "core/watch/watch.hpp"
#include "sim/apiserver/object_store.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/record/vocabulary.hpp"

namespace watchlab::sim {

/// How a stream ended, and why: the server's reason or the fault's name; "" if unknown.
struct StreamEnding {
  StreamEnd end = StreamEnd::Closed;
  std::string cause;
};

/// The ending of a stream whose last event is this ERROR.
[[nodiscard]] StreamEnding ending_after(const watch::Event& error);

/// One request of a client and its outcome, as a value.
struct Exchange {
  std::uint64_t number = 0;  ///< counts the requests of a world, from 1
  Request request;
  std::size_t server = 0;
  runtime::TimePoint sent;
  AnswerKind answer = AnswerKind::Pending;
  std::int32_t code = 0;        ///< the HTTP code; 0 without an HTTP answer
  std::string answer_revision;  ///< the revision of the returned list or object
  std::optional<runtime::TimePoint> answered;
  std::optional<StreamEnd> end;  ///< nothing without a stream
  std::string end_cause;         ///< see StreamEnding
  std::optional<runtime::TimePoint> ended;
  std::uint64_t events = 0;  ///< events that the client has taken from the stream
  std::uint64_t lost = 0;    ///< events of the stream that a fault dropped
};

/// Sees each exchange whenever it changes. Called with the host's lock held: it must not call the
/// host.
class ExchangeObserver {
 public:
  ExchangeObserver() = default;
  ExchangeObserver(const ExchangeObserver&) = delete;
  ExchangeObserver& operator=(const ExchangeObserver&) = delete;
  virtual ~ExchangeObserver() = default;

  virtual void changed(const Exchange& exchange) = 0;
  /// The client has its answer. Called before `changed`.
  virtual void answered(const Exchange& /*exchange*/, const api::Result<Response>& /*outcome*/) {}
  /// An event of a stream has reached the client's side.
  virtual void arrived(const Exchange& /*exchange*/, const watch::Event& /*event*/) {}
  /// The store has taken in a write.
  virtual void wrote(const Change& /*change*/) {}
};

/// Forwards everything to the first observer, then to the second; either may be null.
[[nodiscard]] std::shared_ptr<ExchangeObserver> both(std::shared_ptr<ExchangeObserver> first,
                                                     std::shared_ptr<ExchangeObserver> second);

/// `LIST rv=0 limit=500`, `WATCH rv=12`, `CREATE default/demo`: a request in the stable form of
/// notes and reports. An unset revision reads `rv=""`; bookmarks and timeouts, which every client
/// requests, are left out.
[[nodiscard]] std::string request_text(const Request& request);
/// `200 rv=12`, `410 Expired`, `refused`: the answer, in the same form.
[[nodiscard]] std::string answer_text(const Exchange& exchange);
/// `ADDED default/demo rv=3`, `BOOKMARK rv=9`, `ERROR 410 Expired`.
[[nodiscard]] std::string event_text(const watch::Event& event);

}  // namespace watchlab::sim
