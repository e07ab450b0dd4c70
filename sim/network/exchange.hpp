#pragma once

#include <cstdint>
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

/// How a stream ended, and why: the server's reason or the fault's name; "" when it is unknown.
struct StreamEnding {
  StreamEnd end = StreamEnd::Closed;
  std::string cause;
};

/// That of a stream whose last event is this ERROR.
[[nodiscard]] StreamEnding ending_after(const watch::Event& error);

/// One request of a client and what became of it, as a value.
struct Exchange {
  std::uint64_t number = 0;  ///< counts the requests of a world, from 1
  Request request;
  std::size_t server = 0;
  runtime::TimePoint sent;
  AnswerKind answer = AnswerKind::Pending;
  std::int32_t code = 0;        ///< the HTTP code; 0 when there was no HTTP answer
  std::string answer_revision;  ///< the revision of the list or object that was answered
  std::optional<runtime::TimePoint> answered;
  std::optional<StreamEnd> end;  ///< nothing when there is no stream
  std::string end_cause;         ///< see StreamEnding
  std::optional<runtime::TimePoint> ended;
  std::uint64_t events = 0;  ///< that the client has taken from the stream
  std::uint64_t lost = 0;    ///< events of the stream that a fault made disappear
};

/// Notified of each exchange whenever something about it has changed. Called with the host's lock
/// held: it must not call the host.
class ExchangeObserver {
 public:
  ExchangeObserver() = default;
  ExchangeObserver(const ExchangeObserver&) = delete;
  ExchangeObserver& operator=(const ExchangeObserver&) = delete;
  virtual ~ExchangeObserver() = default;

  virtual void changed(const Exchange& exchange) = 0;
  /// The client has its answer. Comes before `changed`.
  virtual void answered(const Exchange& /*exchange*/, const api::Result<Response>& /*outcome*/) {}
  /// An event of a stream has reached the client's side.
  virtual void arrived(const Exchange& /*exchange*/, const watch::Event& /*event*/) {}
  /// The store has taken in a write.
  virtual void wrote(const Change& /*change*/) {}
};

/// `LIST rv=0 limit=500`, `WATCH rv=12`, `CREATE default/demo`: what a request asks, in the stable
/// form that notes and reports use. An unset revision reads `rv=""`; bookmarks and timeouts, which
/// every client asks for alike, are left out.
[[nodiscard]] std::string request_text(const Request& request);
/// `200 rv=12`, `410 Expired`, `refused`: what came back, in the same form.
[[nodiscard]] std::string answer_text(const Exchange& exchange);
/// `ADDED default/demo rv=3`, `BOOKMARK rv=9`, `ERROR 410 Expired`.
[[nodiscard]] std::string event_text(const watch::Event& event);

}  // namespace watchlab::sim
