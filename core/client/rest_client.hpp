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
  /// How often to retry a request that only reads, if the server says to come back later
  /// (`Retry-After` with 429 or a 5xx) or the connection broke. 0 for never. A retry because the
  /// connection was closed since the previous request does not count.
  int retries_max = 10;
  /// For connecting, including TLS.
  runtime::Duration connect_max = std::chrono::seconds(30);
  /// From a request to the head of its answer.
  runtime::Duration answer_max = std::chrono::seconds(75);
  /// Between two pieces of an answer, and for all of it. Not for a watch.
  runtime::Duration idle_max = std::chrono::seconds(60);
  runtime::Duration body_time_max = std::chrono::minutes(10);
  /// How much longer than requested a watch may take before the client ends it.
  runtime::Duration watch_grace = std::chrono::seconds(30);
  /// For how long to use a token that was read from a file.
  runtime::Duration token_age_max = std::chrono::minutes(1);
  /// How many idle connections to keep, and for how long.
  std::size_t kept_max = 4;
  runtime::Duration kept_for = std::chrono::seconds(60);
  /// How much memory an answer, or one event of a watch, can make the client use.
  HttpLimits limits{.body_max = std::size_t{1} << 30};
  watch::JsonFrameLimits frame_limits{};
  /// Determines the proxy.
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

/// Sends requests to one API server. Connections are kept for further requests; each watch has its
/// own. Any task may call any function, concurrently. The loop must outlive it.
///
/// Errors of requests: those of a `Connection`; Decode for an answer that is not HTTP or exceeds
/// the limits; UnexpectedEof, ConnectionReset and Timeout for an answer that breaks off or does not
/// come; a Status for a code other than 2xx; Cancelled at the stop.
class RestClient {
 public:
  /// Fails with a readable message: the server is not a URL, the proxy is unusable, or the token
  /// file is unreadable.
  [[nodiscard]] static api::Result<std::shared_ptr<RestClient>> make(
      const IoLoop& loop, ClientConfig config, RestClientOptions options = {});
  ~RestClient();
  RestClient(const RestClient&) = delete;
  RestClient& operator=(const RestClient&) = delete;

  /// Blocks until the whole answer has arrived. Mirrors client-go rest/request.go, Do, and
  /// with_retry.go.
  [[nodiscard]] api::Result<RestAnswer> request(const runtime::StopToken& stop,
                                                const RestRequest& request);
  /// Blocks until the watch is open. `timeout` is the one in the request, zero for none. As in
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
