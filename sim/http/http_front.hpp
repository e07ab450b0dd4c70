#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/thread_runtime.hpp"
#include "sim/controllers/cluster_controllers.hpp"
#include "sim/http/body_reader.hpp"
#include "sim/http/connection_budget.hpp"
#include "sim/http/defined_resources.hpp"
#include "sim/http/table_view.hpp"
#include "sim/network/http_names.hpp"
#include "sim/network/server_host.hpp"

namespace watchlab::sim {

/// An answer that is no object of the API: a page.
struct HttpPage {
  std::int32_t code = 200;
  std::string type = "application/json";
  std::string body;
  HttpFields fields{};  ///< beside those for the type and the length
  /// Of JSON whose last array is empty: what stands in it, as JSON.
  std::vector<api::ObjectPtr> items{};
};

/// Answers requests to some paths; nothing for all others.
using PageSource =
    std::function<std::optional<HttpPage>(const HttpRequest& http, const Target& target)>;

/// Says whose a request is, and may take from its target what says so. "" for a client that is
/// known by nothing but its User-Agent. `port` is that of the connection.
using ClientNames = std::function<std::string(HttpRequest& http, std::uint16_t port)>;

/// A clock for what is served in real time, which shows the moments of the calendar. `on_crash` is
/// as in `ThreadRuntimeOptions`.
[[nodiscard]] std::unique_ptr<runtime::ThreadRuntime> make_served_runtime(
    std::function<void(const runtime::TaskCrash&)> on_crash = {});

struct HttpFrontOptions {
  ControlPlaneOptions servers;
  /// The servers to show, on a runtime of `make_served_runtime`, which must outlive the front. Null
  /// for servers of the front's own, as `servers` says.
  std::shared_ptr<ServerHost> host = nullptr;
  /// To which of them each request goes, asked at its departure; to the first if left out.
  std::function<std::size_t()> server = {};
  ClientNames client_names = {};
  /// Of servers of the front's own: notified of all requests and writes; may be null.
  std::shared_ptr<ExchangeObserver> observer = nullptr;
  /// Whether objects are refused that a real server would not store.
  bool validates = true;
  /// Of servers of the front's own: what makes a cluster of them.
  ClusterControllersOptions controllers = {};
  /// What a client must show as `Authorization: Bearer …`; "" for nothing.
  std::string token;
  /// Whether requests that name another machine, or that come from a web page, get a 403.
  bool is_local = false;
  bool is_tls = false;  ///< how it is reached, which is part of the origin of its own pages
  /// Makes JSON of a body in YAML; fails with a 400. Without it such bodies are refused.
  /// May be called on any thread.
  ReadsBody json_from_yaml;
  std::size_t exchanges_max = 10'000;  ///< how many finished requests are remembered
  /// How many bytes may be kept for all connections together, of requests that are not whole and
  /// of answers and events that are not read.
  std::size_t unread_max = std::size_t{256} << 20;
  /// The size limit in bytes for the objects of the servers, uncompacted old versions included.
  std::size_t store_max = std::size_t{2} << 30;
};

/// A body that was already parsed, or why it cannot be; null if it was not parsed.
using BodyAsRead = const api::Result<ReadBody>*;

/// The API server of the simulation as seen through HTTP, in real time: the same state machine,
/// rules and faults, with the pages by which clients find their way. Knows no sockets: sessions do
/// the talking (sim/http/http_session.hpp). All of it belongs to one thread.
class HttpFront {
 public:
  explicit HttpFront(HttpFrontOptions options);
  HttpFront(const HttpFront&) = delete;
  HttpFront& operator=(const HttpFront&) = delete;
  ~HttpFront();

  /// Asked before the server's own pages, in this order.
  void add_pages(PageSource source) { sources_.push_back(std::move(source)); }

  /// Why a request is refused, whatever it asks for: it comes from a web page, or has no valid
  /// token.
  [[nodiscard]] std::optional<HttpPage> refusal_for(const HttpRequest& http);
  /// Whether the body has to be parsed first: it is an object in YAML.
  [[nodiscard]] bool needs_reading(const HttpRequest& http) const;
  /// Parses such a body, which is slow for a long one.
  [[nodiscard]] api::Result<ReadBody> read_body(std::string_view body) const;
  /// Replaces the body with the result.
  static void put_json(HttpRequest& http, std::string json);
  /// Parses in another task.
  [[nodiscard]] BodyReader& bodies() { return *bodies_; }
  /// The answer to a request that is none to the API: a page, or a refusal.
  [[nodiscard]] std::optional<HttpPage> page_for(const HttpRequest& http,
                                                 BodyAsRead read = nullptr);
  /// Whose a request is; to be asked first, because it may shorten the target.
  [[nodiscard]] std::string client_of(HttpRequest& http, std::uint16_t port) const;
  /// What the server is asked by a request to the API. Fails with the Status to answer with.
  [[nodiscard]] api::Result<Request> request_for(HttpRequest http, BodyAsRead read = nullptr);
  /// In what form its answer shall be; fails with a 406.
  [[nodiscard]] api::Result<BodyView> view_for(const HttpRequest& http, const Request& request,
                                               BodyAsRead read = nullptr);
  /// Lines of the head of the next answer, as a real server writes into each; with the warnings.
  [[nodiscard]] std::string common_fields(const BodyView& view);
  /// What the connections share.
  [[nodiscard]] ConnectionBudget& budget() { return budget_; }
  /// To be called with the answer to something that was not a valid request.
  void refused(const api::Status& status);
  /// How many there were, and the last answer: "3 were refused, the last with 400: …"; "" for
  /// none.
  [[nodiscard]] std::string refusals() const;
  /// To be called when the server has answered.
  void served(const Request& request, const Response& response);

  [[nodiscard]] const std::shared_ptr<ServerHost>& host() const { return host_; }
  /// How many answers have begun, pages and refusals among them.
  [[nodiscard]] std::uint64_t answered() const { return answered_; }
  /// The server that the next request goes to.
  [[nodiscard]] std::size_t server() const { return options_.server ? options_.server() : 0; }
  [[nodiscard]] runtime::TimePoint now() { return host_->runtime().now(); }

 private:
  [[nodiscard]] std::optional<HttpPage> review_page(HttpRequest http,
                                                    const std::vector<std::string>& path,
                                                    BodyAsRead read) const;
  [[nodiscard]] std::optional<HttpPage> own_page(const HttpRequest& http, const Target& target);
  [[nodiscard]] std::optional<api::Status> refusal_of_path(HttpRequest& http);
  [[nodiscard]] std::optional<api::Status> refusal_of_names(const Request& request);
  [[nodiscard]] std::optional<ScalePaths> scale_of_path(const Target& target);
  [[nodiscard]] ResourceType type_of(const Request& request);
  [[nodiscard]] api::Result<void> read_body_as_json(HttpRequest& http, BodyAsRead read) const;

  HttpFrontOptions options_;
  std::unique_ptr<runtime::Runtime> runtime_;        // of servers of its own
  std::shared_ptr<ClusterControllers> controllers_;  // of servers of its own; or null
  std::shared_ptr<ServerHost> host_;
  DefinedResources resources_;
  std::vector<PageSource> sources_;
  std::uint64_t answered_ = 0;
  std::uint64_t refused_ = 0;
  std::string last_refusal_;
  ConnectionBudget budget_;
  std::unique_ptr<BodyReader> bodies_;  // null if YAML is not accepted
};

/// A Status as the page that it is answered with.
[[nodiscard]] HttpPage page_of(const api::Status& status);

}  // namespace watchlab::sim
