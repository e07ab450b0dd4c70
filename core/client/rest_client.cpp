#include "core/client/rest_client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/client/api_messages.hpp"
#include "core/client/connection.hpp"
#include "core/client/http_body.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/timer.hpp"
#include "core/watch/stream_watcher.hpp"

namespace watchlab::client {

namespace {

constexpr std::int32_t kOk = 200;
constexpr std::int32_t kFirstRefusal = 300;
constexpr std::int32_t kUnauthorized = 401;
constexpr std::int32_t kTooManyRequests = 429;
constexpr std::int32_t kServerErrors = 500;

api::Error unusable(std::string message) {
  return {.kind = api::ErrorKind::Other, .message = std::move(message), .status = {}};
}

bool has_broken_off(const api::Error& error) {
  using enum api::ErrorKind;
  return error.kind == Eof || error.kind == UnexpectedEof || error.kind == ConnectionReset;
}

/// The connection ended before a byte of the answer.
bool was_closed_before(const api::Error& error) {
  return error.kind == api::ErrorKind::Eof || error.kind == api::ErrorKind::ConnectionReset;
}

bool only_reads(const RestRequest& request) { return request.method == "GET"; }

/// What a proxy is asked for stands there as a whole URL, unless TLS goes through it.
std::string target_of(const Dial& dial, const RestRequest& request) {
  const std::string target = target_text(dial.server.path + request.path, request.query);
  return dial.proxy && !dial.server.tls ? "http://" + authority_of(dial.server) + target : target;
}

/// A URL without the name and the password in it.
std::string without_password(const std::string& url) {
  const std::size_t at = url.rfind('@');
  const std::size_t start = url.find("://");
  return at == std::string::npos || start == std::string::npos
             ? url
             : url.substr(0, start + 3) + "…" + url.substr(at);
}

api::Result<std::optional<ServerUrl>> proxy_from(const ClientConfig& config,
                                                 const Environment& environment) {
  const std::string text =
      config.proxy.empty() ? proxy_for(config.server, environment) : config.proxy;
  if (text.empty()) {
    return std::optional<ServerUrl>();
  }
  std::optional<ServerUrl> proxy =
      server_url_from(text.find("://") == std::string::npos ? "http://" + text : text);
  if (!proxy || proxy->tls || proxy->host.find('@') != std::string::npos) {
    return unusable(
        fmt::format("the proxy '{}' cannot be used: it has to be http://HOST:PORT, without a name "
                    "and a password; NO_PROXY={} goes without",
                    without_password(text), server_url_from(config.server)->host));
  }
  return proxy;
}

api::Result<Dial> dial_from(const ClientConfig& config, const Environment& environment) {
  const std::optional<ServerUrl> server = server_url_from(config.server);
  if (!server) {
    return unusable(fmt::format(
        "'{}' is no URL of a server: it has to be https://HOST:PORT or http://HOST:PORT",
        config.server));
  }
  api::Result<std::optional<ServerUrl>> proxy = proxy_from(config, environment);
  if (!proxy) {
    return proxy.error();
  }
  return Dial{.server = *server,
              .tls = {.authority = config.authority,
                      .host = config.server_name.empty() ? server->host : config.server_name,
                      .certificate = config.certificate,
                      .key = config.key,
                      .insecure = config.insecure},
              .proxy = *std::move(proxy)};
}

bool stays_open(const HttpHead& head) { return !has_word(head.fields, "Connection", "close"); }

}  // namespace

struct RestClient::Exchange {
  std::shared_ptr<Connection> connection;
  std::unique_ptr<HttpBody> body;
  HttpHead head;
};

api::Result<std::shared_ptr<RestClient>> RestClient::make(const IoLoop& loop, ClientConfig config,
                                                          RestClientOptions options) {
  api::Result<Dial> dial = dial_from(config, options.environment);
  if (!dial) {
    return dial.error();
  }
  std::shared_ptr<RestClient> client(
      new RestClient(loop, std::move(config), std::move(options), *std::move(dial)));
  if (const api::Result<std::string> known = client->authorization(); !known) {
    return known.error();
  }
  return client;
}

RestClient::RestClient(const IoLoop& loop, ClientConfig config, RestClientOptions options,
                       Dial dial)
    : loop_(loop),
      config_(std::move(config)),
      options_(std::move(options)),
      dial_(std::make_unique<const Dial>(std::move(dial))),
      mutex_(loop.runtime(), "rest_client") {}

RestClient::~RestClient() = default;

api::Result<RestAnswer> RestClient::request(const runtime::StopToken& stop,
                                            const RestRequest& request) {
  for (int tries = 0;; ++tries) {
    api::Result<RestAnswer> answer = request_once(stop, request);
    if (answer) {
      return answer;
    }
    const auto wait = pause_before_retry(answer.error(), request, tries);
    if (!wait || !pause(stop, *wait)) {
      return answer;
    }
  }
}

api::Result<std::shared_ptr<watch::Watcher>> RestClient::watch(const runtime::StopToken& stop,
                                                               const RestRequest& request,
                                                               runtime::Duration timeout) {
  for (int tries = 0;; ++tries) {
    api::Result<std::shared_ptr<watch::Watcher>> watcher = watch_once(stop, request, timeout);
    if (watcher) {
      return watcher;
    }
    const api::Error& error = watcher.error();
    const auto wait = pause_before_retry(error, request, tries);
    if (!wait && (has_broken_off(error) || error.kind == api::ErrorKind::Timeout)) {
      return watch::make_empty_watch(runtime());
    }
    if (!wait || !pause(stop, *wait)) {
      return watcher;
    }
  }
}

/// Mirrors client-go rest/with_retry.go, IsNextRetry.
std::optional<runtime::Duration> RestClient::pause_before_retry(const api::Error& error,
                                                                const RestRequest& request,
                                                                int tries) const {
  if (tries >= options_.retries_max) {
    return std::nullopt;
  }
  if (has_broken_off(error) && only_reads(request)) {
    return std::chrono::seconds(1);
  }
  const api::Status& status = error.status;
  const bool later = error.kind == api::ErrorKind::Status &&
                     (status.code == kTooManyRequests || status.code >= kServerErrors) &&
                     status.details.retry_after_seconds > 0;
  return later ? std::optional<runtime::Duration>(
                     std::chrono::seconds(status.details.retry_after_seconds))
               : std::nullopt;
}

/// False when the stop came first.
bool RestClient::pause(const runtime::StopToken& stop, runtime::Duration time) {
  runtime::Timer timer(runtime(), time);
  runtime::Select choice(runtime());
  choice.receive(stop.done(runtime())).receive(timer.channel());
  const bool waited = choice.wait() == 1;
  timer.stop();
  return waited;
}

api::Result<RestAnswer> RestClient::request_once(const runtime::StopToken& stop,
                                                 const RestRequest& request) {
  api::Result<Exchange> exchange = send(stop, request);
  return exchange ? read_answer(*std::move(exchange), stop) : exchange.error();
}

api::Result<std::shared_ptr<watch::Watcher>> RestClient::watch_once(const runtime::StopToken& stop,
                                                                    const RestRequest& request,
                                                                    runtime::Duration timeout) {
  api::Result<Exchange> sent = send(stop, request);
  if (!sent) {
    return sent.error();
  }
  Exchange exchange = *std::move(sent);
  if (exchange.head.code != kOk) {
    const api::Result<RestAnswer> answer = read_answer(std::move(exchange), stop);
    return answer ? not_json(answer->head) : answer.error();
  }
  if (!is_json(exchange.head)) {
    exchange.connection->close();
    return not_json(exchange.head);
  }
  const bool ends = timeout > runtime::Duration::zero();
  exchange.connection->allow(ends ? until(stop, timeout + options_.watch_grace) : WaitLimit{stop},
                             {});
  return std::shared_ptr<watch::Watcher>(std::make_shared<watch::StreamWatcher>(
      runtime(),
      std::make_unique<watch::JsonFrameDecoder>(std::move(exchange.body), options_.frame_limits)));
}

/// The server may have closed a connection that was kept just now. What only reads is sent again
/// over a new one then, and that is no retry: no answer to this request had begun. Mirrors what
/// Go's http.Transport does below client-go.
api::Result<RestClient::Exchange> RestClient::send(const runtime::StopToken& stop,
                                                   const RestRequest& request) {
  const api::Result<std::string> text = text_of(request);
  if (!text) {
    return text.error();
  }
  if (std::shared_ptr<Connection> kept = take_kept()) {
    api::Result<Exchange> exchange = send_over(std::move(kept), stop, *text);
    if (exchange || !was_closed_before(exchange.error()) || !only_reads(request)) {
      return exchange;
    }
  }
  api::Result<std::shared_ptr<Connection>> connection =
      Connection::open(loop_, *dial_, until(stop, options_.connect_max));
  return connection ? send_over(*std::move(connection), stop, *text) : connection.error();
}

api::Result<RestClient::Exchange> RestClient::send_over(std::shared_ptr<Connection> connection,
                                                        const runtime::StopToken& stop,
                                                        const std::string& text) {
  connection->allow(until(stop, options_.answer_max), {});
  if (const api::Result<void> sent = connection->write(text); !sent) {
    return sent.error();
  }
  auto body = std::make_unique<HttpBody>(connection, options_.limits);
  api::Result<HttpHead> head = body->read_head();
  if (!head) {
    connection->close();
    return head.error();
  }
  return Exchange{std::move(connection), std::move(body), *std::move(head)};
}

api::Result<RestAnswer> RestClient::read_answer(Exchange exchange, const runtime::StopToken& stop) {
  exchange.connection->allow(until(stop, options_.body_time_max), options_.idle_max);
  api::Result<std::string> body = exchange.body->read_all();
  if (!body) {
    exchange.connection->close();
    return body.error();
  }
  if (stays_open(exchange.head)) {
    keep(std::move(exchange.connection));
  }
  const std::int32_t code = exchange.head.code;
  if (code == kUnauthorized) {
    forget_token();
  }
  if (code < kOk || code >= kFirstRefusal) {
    return failure_from(exchange.head, *body);
  }
  return RestAnswer{std::move(exchange.head), *std::move(body)};
}

WaitLimit RestClient::until(const runtime::StopToken& stop, runtime::Duration at_most) {
  return {stop, runtime().now() + at_most};
}

api::Result<std::string> RestClient::text_of(const RestRequest& request) {
  const api::Result<std::string> known = authorization();
  if (!known) {
    return known.error();
  }
  HttpRequest http{.method = request.method,
                   .target = target_of(*dial_, request),
                   .fields = {{"Host", authority_of(dial_->server)},
                              {"User-Agent", config_.user_agent},
                              {"Accept", "application/json"}},
                   .body = request.body};
  if (!request.body.empty()) {
    http.fields.push_back({"Content-Type", request.type});
  }
  if (!known->empty()) {
    http.fields.push_back({"Authorization", *known});
  }
  return to_string(http);
}

/// Mirrors client-go transport, cachingTokenSource: a file is read again when its token is old.
api::Result<std::string> RestClient::authorization() {
  if (!config_.token_file.empty()) {
    const runtime::TimePoint now = runtime().now();
    const runtime::Lock lock(mutex_);
    if (!token_read_ || now - *token_read_ >= options_.token_age_max) {
      api::Result<std::string> token = read_file(config_.token_file);
      if (!token && token_.empty()) {
        return token.error();
      }
      if (token) {
        token_ = *std::move(token);
        token_.erase(token_.find_last_not_of(" \r\n\t") + 1);
        token_read_ = now;
      }
    }
    return "Bearer " + token_;
  }
  if (!config_.token.empty()) {
    return "Bearer " + config_.token;
  }
  return config_.username.empty() ? std::string()
                                  : "Basic " + to_base64(config_.username + ":" + config_.password);
}

void RestClient::forget_token() {
  const runtime::Lock lock(mutex_);
  token_read_.reset();
}

std::shared_ptr<Connection> RestClient::take_kept() {
  const runtime::TimePoint now = runtime().now();
  const runtime::Lock lock(mutex_);
  while (!kept_.empty()) {
    Kept kept = std::move(kept_.back());
    kept_.pop_back();
    if (now - kept.since < options_.kept_for && kept.connection->is_quiet()) {
      return kept.connection;
    }
  }
  return nullptr;
}

void RestClient::keep(std::shared_ptr<Connection> connection) {
  const runtime::TimePoint now = runtime().now();
  const runtime::Lock lock(mutex_);
  kept_.push_back({std::move(connection), now});
  if (kept_.size() > options_.kept_max) {
    kept_.erase(kept_.begin());
  }
}

}  // namespace watchlab::client
