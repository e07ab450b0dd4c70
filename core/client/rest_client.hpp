#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/api/result.hpp"
#include "core/client/client_config.hpp"
#include "core/client/http_message.hpp"
#include "core/client/socket.hpp"
#include "core/client/url.hpp"
#include "core/runtime/mutex.hpp"
#include "core/watch/json_frame_decoder.hpp"
#include "core/watch/watch.hpp"

namespace watchlab::client {

class Connection;
struct Dial;

struct RestClientOptions {
  /// How often a request is sent again that the server wants later (`Retry-After` with 429 or a
  /// 5xx) or whose connection broke, if it only reads. 0 for never. Not counted is one that found
  /// its connection closed since the request before.
  int retries_max = 10;
  /// To connect, and to agree on TLS.
  runtime::Duration connect_max = std::chrono::seconds(30);
  /// From a request to the head of its answer.
  runtime::Duration answer_max = std::chrono::seconds(75);
  /// Between two pieces of an answer, and for the whole of it. Not of a watch.
  runtime::Duration idle_max = std::chrono::seconds(60);
  runtime::Duration body_time_max = std::chrono::minutes(10);
  /// How much longer than it was asked to be a watch may be before the client ends it.
  runtime::Duration watch_grace = std::chrono::seconds(30);
  /// For how long a token is used that was read in a file.
  runtime::Duration token_age_max = std::chrono::minutes(1);
  /// Connections that wait for a further request: how many, and for how long.
  std::size_t kept_max = 4;
  runtime::Duration kept_for = std::chrono::seconds(60);
  /// How much memory an answer, and one event of a watch, can make the client use.
  HttpLimits limits{.body_max = std::size_t{1} << 30};
  watch::JsonFrameLimits frame_limits{};
  /// Says which proxy there is.
  Environment environment = process_environment();
};

struct RestRequest {
  std::string method = "GET";
  std::string path;  ///< "/api/v1/namespaces/default/configmaps"
  Query query{};
  std::string body{};
  std::string type = "application/json";  ///< of the body
};

struct RestAnswer {
  HttpHead head;
  std::string body;
};

/// Sends requests to one API server. Connections are kept for further requests; each watch has one
/// of its own. Any task may call any function, many at a time. The loop outlives it.
///
/// Errors of requests: what a `Connection` fails with; Decode for what is no HTTP, or longer than
/// the limits; UnexpectedEof, ConnectionReset and Timeout for an answer that breaks off or does not
/// come; a Status for a code that is not 2xx; Cancelled at the stop.
class RestClient {
 public:
  /// Fails with a message for a person: a server that is no URL, a proxy that cannot be used, a
  /// token file that cannot be read.
  [[nodiscard]] static api::Result<std::shared_ptr<RestClient>> make(
      const IoLoop& loop, ClientConfig config, RestClientOptions options = {});
  ~RestClient();
  RestClient(const RestClient&) = delete;
  RestClient& operator=(const RestClient&) = delete;

  /// Blocks until the whole answer is there.
  /// Mirrors client-go rest/request.go, Do, and with_retry.go.
  [[nodiscard]] api::Result<RestAnswer> request(const runtime::StopToken& stop,
                                                const RestRequest& request);
  /// Blocks until the watch is open. `timeout` is what the request says, zero for nothing. As in
  /// client-go, a connection that ends before it has answered reads as a watch that ends at once; a
  /// refused one is an error. Mirrors client-go rest/request.go, Watch.
  [[nodiscard]] api::Result<std::shared_ptr<watch::Watcher>> watch(const runtime::StopToken& stop,
                                                                   const RestRequest& request,
                                                                   runtime::Duration timeout);

  [[nodiscard]] const ClientConfig& config() const { return config_; }
  [[nodiscard]] runtime::Runtime& runtime() const { return loop_.runtime(); }

 private:
  /// A request that was sent, and the head of its answer.
  struct Exchange;
  struct Kept {
    std::shared_ptr<Connection> connection;
    runtime::TimePoint since;
  };

  RestClient(const IoLoop& loop, ClientConfig config, RestClientOptions options, Dial dial);
  [[nodiscard]] api::Result<RestAnswer> request_once(const runtime::StopToken& stop,
                                                     const RestRequest& request);
  [[nodiscard]] api::Result<std::shared_ptr<watch::Watcher>> watch_once(
      const runtime::StopToken& stop, const RestRequest& request, runtime::Duration timeout);
  [[nodiscard]] api::Result<Exchange> send(const runtime::StopToken& stop,
                                           const RestRequest& request);
  [[nodiscard]] api::Result<Exchange> send_over(std::shared_ptr<Connection> connection,
                                                const runtime::StopToken& stop,
                                                const std::string& text);
  [[nodiscard]] api::Result<RestAnswer> read_answer(Exchange exchange,
                                                    const runtime::StopToken& stop);
  [[nodiscard]] std::optional<runtime::Duration> pause_before_retry(const api::Error& error,
                                                                    const RestRequest& request,
                                                                    int tries) const;
  [[nodiscard]] bool pause(const runtime::StopToken& stop, runtime::Duration time);
  [[nodiscard]] api::Result<std::string> text_of(const RestRequest& request);
  [[nodiscard]] api::Result<std::string> authorization();
  [[nodiscard]] WaitLimit until(const runtime::StopToken& stop, runtime::Duration at_most);
  [[nodiscard]] std::shared_ptr<Connection> take_kept();
  void keep(std::shared_ptr<Connection> connection);
  void forget_token();

  const IoLoop& loop_;
  const ClientConfig config_;
  const RestClientOptions options_;
  const std::unique_ptr<const Dial> dial_;
  runtime::Mutex mutex_;
  std::vector<Kept> kept_;                        // guarded by mutex_; the newest last
  std::string token_;                             // guarded by mutex_; of the file
  std::optional<runtime::TimePoint> token_read_;  // guarded by mutex_
};

}  // namespace watchlab::client
