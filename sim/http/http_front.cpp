#include "sim/http/http_front.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <functional>
#include <iterator>
#include <utility>

#include "core/api/json.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/status_bodies.hpp"
#include "sim/http/discovery.hpp"
#include "sim/http/kind_protobuf.hpp"
#include "sim/http/kind_rules.hpp"
#include "sim/http/local_origin.hpp"
#include "sim/http/media_types.hpp"
#include "sim/http/printer_columns.hpp"
#include "sim/http/request_checks.hpp"
#include "sim/http/scale_view.hpp"
#include "sim/http/subresources.hpp"
#include "sim/network/wire_messages.hpp"

namespace watchlab::sim {

namespace {

/// Of the numbers of answers.
constexpr std::uint64_t kAuditSeed = 25;
/// What Go's parser accepts and clients look for; the real one has an @, which is no media type.
constexpr std::string_view kOpenapiTwo =
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/// The pages of the server itself, which read their bodies themselves.
constexpr std::string_view kControl = "/watchlab/";

const std::vector<std::string>& repeated_in(BodyAsRead read) {
  static const std::vector<std::string> kNone;
  return read != nullptr && *read ? (*read)->repeated_keys : kNone;
}

/// The moment of the calendar, for a clock that goes on steadily from there.
runtime::TimePoint calendar_now() {
  return runtime::TimePoint(std::chrono::duration_cast<runtime::Duration>(
      std::chrono::system_clock::now().time_since_epoch()));
}

HttpPage json_page(std::string body) { return {.body = std::move(body)}; }

/// What stands behind a path that no part of the server serves.
HttpPage missing_page() {
  return {.code = 404, .type = "text/plain; charset=utf-8", .body = "404 page not found\n"};
}

HttpPage json_page_or_missing(std::string body) {
  return body.empty() ? missing_page() : json_page(std::move(body));
}

/// Whether a path is one of objects of a version that is served, or of a group that no custom
/// resource makes: those groups say of other versions that there are none.
bool is_about_objects(const ResourceTypes& types, const std::vector<std::string>& path) {
  const bool core = path[0] == "api";
  const bool built_in = std::ranges::any_of(types.all(), [&](const auto& each) {
    return !core && !each.second.custom && each.first.group == path[1];
  });
  const std::vector<ServedVersion> served = served_versions(types);
  return built_in || std::ranges::any_of(served, [&](const ServedVersion& each) {
           return core ? each.group.empty() && each.version == path[1]
                       : each.group == path[1] && each.version == path[2];
         });
}

std::string paths_page(const ResourceTypes& types) {
  boost::json::array paths{"/api", "/api/v1", "/apis"};
  for (const ServedVersion& each : served_versions(types)) {
    if (!each.group.empty()) {
      paths.push_back(boost::json::string("/apis/" + each.group + "/" + each.version));
    }
  }
  for (const char* path : {"/healthz", "/livez", "/openapi/v2", "/openapi/v3", "/readyz",
                           "/version", "/watchlab/v1/exchanges", "/watchlab/v1/fault-types",
                           "/watchlab/v1/faults", "/watchlab/v1/objects", "/watchlab/v1/stories"}) {
    paths.push_back(boost::json::string(path));
  }
  return boost::json::serialize(boost::json::object{{"paths", paths}});
}

/// /api and /apis in the form that the client asks for.
HttpPage discovery_page(const ResourceTypes& types, bool core, const HttpRequest& http) {
  const std::string version = aggregated_discovery_in(field_of(http.fields, "Accept"));
  HttpPage page = version.empty() ? json_page(core ? core_versions_page() : groups_page(types))
                                  : json_page(aggregated_page(types, core, version));
  if (!version.empty()) {
    page.type = fmt::format("application/json;g=apidiscovery.k8s.io;v={};as=APIGroupDiscoveryList",
                            version);
  }
  page.fields.push_back({"Vary", "Accept"});
  return page;
}

HttpPage openapi_page(const ResourceTypes& types, const std::vector<std::string>& path,
                      const HttpRequest& http) {
  if (path.size() == 2 && path[1] == "v2") {
    // Old clients that ask for it in protobuf then leave validation to the server.
    const bool wants_protobuf =
        field_of(http.fields, "Accept").find("protobuf") != std::string_view::npos;
    return wants_protobuf ? HttpPage{.type = std::string(kOpenapiTwo)}
                          : json_page(openapi_two(types));
  }
  if (path.size() == 2 && path[1] == "v3") {
    return json_page(openapi_index(types));
  }
  if (path.size() == 4 && path[1] == "v3" && path[2] == "api") {
    return json_page_or_missing(openapi_document(types, "", path[3]));
  }
  if (path.size() == 5 && path[1] == "v3" && path[2] == "apis") {
    return json_page_or_missing(openapi_document(types, path[3], path[4]));
  }
  return page_of(status_bodies::unknown_resource());
}

/// The client's name for records and triggers: the product of its User-Agent.
std::string client_name(std::string_view user_agent) {
  const std::string_view product = user_agent.substr(0, user_agent.find_first_of("/ "));
  return product.empty() ? "unknown" : std::string(product);
}

constexpr std::string_view kApplyType = "application/apply-patch+yaml";

bool is_yaml(std::string_view type) {
  return type == "application/yaml" || type == "application/x-yaml" || type == "text/yaml" ||
         type == kApplyType;
}

/// Whether an object may come in that form; "" is JSON. What a form of a web page sends without
/// asking (text/plain and the like) is none of them.
bool is_body_type(std::string_view type) {
  return type.empty() || type == "application/json" || type == kProtobufType || is_yaml(type);
}

bool is_json(std::string_view text) {
  boost::system::error_code failure;
  (void)boost::json::parse(text, failure, {}, {.max_depth = kJsonDepthMax});
  return !failure;
}

/// Most JSON is also YAML. So is an empty text.
bool is_plain_json(std::string_view body) {
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  return first == std::string::npos || (body[first] == '{' && is_json(body));
}

/// What clients in Java try first. They watch over plain HTTP when the answer is a 200 that comes
/// to its end; after a 5xx they try ten times again, and a stream they take for an answer that is
/// slow.
bool watches_over_websocket(const HttpRequest& http, const Target& target) {
  return value_in(target.query, "watch").has_value() &&
         has_word(http.fields, "Upgrade", "websocket");
}

/// A namespace waits to be emptied where there is somebody who does that.
ControlPlaneOptions servers_of(const HttpFrontOptions& options) {
  ControlPlaneOptions servers = options.servers;
  servers.writes.holds_namespaces =
      std::ranges::find(options.controllers.names, kNamespaceController) !=
      options.controllers.names.end();
  return servers;
}

/// Of UTF-8: a byte that is not the first of its character.
bool is_continued(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// Where a text has so many characters.
std::size_t end_of(std::string_view text, std::size_t characters) {
  std::size_t end = 0;
  while (end < text.size() && (is_continued(text[end]) || characters > 0)) {
    characters -= is_continued(text[end++]) ? 0 : 1;
  }
  return end;
}

/// A line of a head has no control characters.
bool has_control(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool is_late = byte == 0xC2U && i + 1 < text.size() &&
                         static_cast<unsigned char>(text[i + 1]) < 0xA0U;  // U+0080 to U+009F
    if (byte < 0x20U || byte == 0x7FU || is_late) {
      return true;
    }
  }
  return false;
}

/// Long ones are cut, and what comes behind too many is left out. Mirrors apiserver's
/// filters.recorder.
std::string warning_fields(const std::vector<std::string>& warnings) {
  constexpr std::size_t kAllMax = 4096;  // characters
  constexpr std::size_t kEachMax = 256;
  const auto count = [](std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, std::not_fn(is_continued)));
  };
  std::size_t all = 0;
  for (const std::string& each : warnings) {
    all += count(each);
  }
  const std::size_t each_max = all > kAllMax ? kEachMax : kAllMax;
  std::string fields;
  std::size_t written = 0;
  for (const std::string& each : warnings) {
    const std::string text = each.substr(0, end_of(each, each_max));
    if (written >= kAllMax || has_control(text)) {
      continue;
    }
    written += count(text);
    fields +=  // 299: a warning of any kind, that lasts
        fmt::format("Warning: 299 - {}\r\n", boost::json::serialize(boost::json::string(text)));
  }
  return fields;
}

void set_field(HttpFields& fields, std::string_view name, std::string value) {
  const auto found = std::ranges::find_if(
      fields, [&](const HttpField& each) { return !field_of({each}, name).empty(); });
  if (found == fields.end()) {
    fields.push_back({std::string(name), std::move(value)});
  } else {
    found->value = std::move(value);
  }
}

/// Whether it accepts an object only as a table or as its metadata.
bool wants_no_object(const HttpRequest& http) {
  std::string_view left = field_of(http.fields, "Accept");
  bool wants_object = left.empty();
  while (!left.empty()) {
    const std::size_t end = std::min(left.find(','), left.size());
    wants_object = wants_object || left.substr(0, end).find(";as=") == std::string_view::npos;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return !wants_object;
}

}  // namespace

HttpPage page_of(const api::Status& status) {
  HttpPage page{.code = status.code, .body = api::to_json(status)};
  if (status.details.retry_after_seconds > 0) {
    page.fields.push_back({"Retry-After", std::to_string(status.details.retry_after_seconds)});
  }
  return page;
}

std::unique_ptr<runtime::ThreadRuntime> make_served_runtime(
    std::function<void(const runtime::TaskCrash&)> on_crash) {
  return std::make_unique<runtime::ThreadRuntime>(
      runtime::ThreadRuntimeOptions{.starts_at = calendar_now(), .on_crash = std::move(on_crash)});
}

HttpFront::HttpFront(HttpFrontOptions options)
    : options_(std::move(options)),
      runtime_(options_.host == nullptr ? make_served_runtime() : nullptr),
      controllers_(runtime_ == nullptr ? nullptr
                                       : ClusterControllers::make(*runtime_, options_.controllers)),
      host_(options_.host != nullptr ? options_.host
                                     : ServerHost::make(*runtime_,
                                                        {.servers = servers_of(options_),
                                                         .notes = false,
                                                         .exchanges_max = options_.exchanges_max},
                                                        both(options_.observer, controllers_))),
      resources_(host_),
      budget_(options_.unread_max),
      bodies_(options_.json_from_yaml
                  ? std::make_unique<BodyReader>(host_->runtime(), options_.json_from_yaml)
                  : nullptr) {
  host_->look([&](ControlPlane& servers) { servers.bound_store(options_.store_max); });
  if (controllers_ != nullptr) {
    controllers_->start(host_);
  }
}

HttpFront::~HttpFront() {
  if (controllers_ != nullptr) {
    controllers_->stop();
  }
}

std::optional<HttpPage> HttpFront::refusal_for(const HttpRequest& http) {
  const bool is_about_server = http.method == "OPTIONS" && http.target == "*";
  const std::optional<Target> target = target_from(is_about_server ? "/" : http.target);
  if (!target) {
    return page_of(status_bodies::bad_request("the target of the request cannot be read"));
  }
  if (const std::string refusal = refusal_of_target(*target); !refusal.empty()) {
    return page_of(status_bodies::bad_request(refusal));
  }
  if (options_.is_local && !is_local_request(http, options_.is_tls)) {
    return page_of(api::failure(
        api::StatusReason::Forbidden,
        "this server answers this machine only: name it as 127.0.0.1 or localhost, and not from a "
        "web page; a server that is started with --token answers whoever shows the token"));
  }
  if (is_about_server) {
    return std::nullopt;
  }
  const bool is_health = target->path.size() == 1 && target->path[0].ends_with("z");
  if (!options_.token.empty() && !is_health && bearer_token_of(http.fields) != options_.token) {
    return page_of(api::failure(api::StatusReason::Unauthorized, "Unauthorized"));
  }
  return std::nullopt;
}

std::optional<HttpPage> HttpFront::page_for(const HttpRequest& http, BodyAsRead read) {
  if (std::optional<HttpPage> refusal = refusal_for(http)) {
    return refusal;
  }
  if (http.method == "OPTIONS" && http.target == "*") {
    return HttpPage{.type = "text/plain; charset=utf-8"};
  }
  const std::optional<Target> target = target_from(http.target);
  for (const PageSource& source : sources_) {
    if (std::optional<HttpPage> page = source(http, *target)) {
      return page;
    }
  }
  if (watches_over_websocket(http, *target)) {
    return HttpPage{};
  }
  if (http.method == "POST") {
    if (std::optional<HttpPage> page = review_page(http, target->path, read)) {
      return page;
    }
  }
  return own_page(http, *target);
}

/// The answer to what is created to be answered: a review of what the client may do, or a token.
/// Nothing for another path.
std::optional<HttpPage> HttpFront::review_page(HttpRequest http,
                                               const std::vector<std::string>& path,
                                               BodyAsRead as_read) const {
  const bool is_review = (path.size() == 4 || path.size() == 6) && path.back().ends_with("reviews");
  if (!is_review && !is_token_request(path)) {
    return std::nullopt;
  }
  const api::Result<void> read = read_body_as_json(http, as_read);
  const std::string body = read ? http.body : "";
  std::string answer =
      is_review ? access_review(path, body) : token_page(path, body, host_->runtime().now());
  if (answer.empty()) {
    return std::nullopt;
  }
  if (wants_no_object(http)) {
    return page_of(api::failure(api::StatusReason::NotAcceptable,
                                "only the following media types are accepted: application/json, "
                                "application/vnd.kubernetes.protobuf"));
  }
  constexpr std::int32_t kCreated = 201;
  static const api::GroupVersionResource kAccounts{"", "v1", "serviceaccounts"};
  bool has_account = is_review;
  host_->look([&](ControlPlane& servers) {
    has_account =
        has_account || servers.store().get(kAccounts, api::key_from(path[3], path[5])) != nullptr;
  });
  return !read          ? page_of(read.error().status)
         : !has_account ? page_of(status_bodies::not_found(kAccounts, path[5]))
                        : HttpPage{.code = kCreated, .body = std::move(answer)};
}

std::optional<HttpPage> HttpFront::own_page(const HttpRequest& http, const Target& target) {
  const std::vector<std::string>& path = target.path;
  const bool is_api = !path.empty() && (path[0] == "api" || path[0] == "apis");
  const bool is_core = is_api && path[0] == "api";
  const std::size_t discovery = is_core ? 2 : 3;
  if (is_api && path.size() > discovery) {
    bool served = false;
    host_->look([&](ControlPlane& servers) { served = is_about_objects(servers.types(), path); });
    return served ? std::nullopt : std::optional(missing_page());
  }
  if (http.method != "GET" && http.method != "HEAD") {
    return page_of(api::failure(api::StatusReason::MethodNotAllowed,
                                "the server does not allow this method on the requested resource"));
  }
  HttpPage page;
  host_->look([&](ControlPlane& servers) {
    const ResourceTypes& types = servers.types();
    if (path.empty()) {
      page = json_page(paths_page(types));
    } else if (is_api && path.size() == 1) {
      page = discovery_page(types, is_core, http);
    } else if (is_api && !is_core && path.size() == 2) {
      page = json_page_or_missing(group_page(types, path[1]));
    } else if (is_api) {
      page = json_page_or_missing(is_core ? resources_page(types, "", path[1])
                                          : resources_page(types, path[1], path[2]));
    } else if (path[0] == "openapi") {
      page = openapi_page(types, path, http);
    } else if (path[0] == "version") {
      page = json_page(version_page());
    } else if (path[0] == "healthz" || path[0] == "readyz" || path[0] == "livez") {
      page = {.type = "text/plain; charset=utf-8", .body = "ok"};
    } else {
      page = missing_page();
    }
  });
  return page;
}

bool HttpFront::needs_reading(const HttpRequest& http) const {
  if (http.body.empty() || !is_yaml(media_type_of(http.fields)) || !options_.json_from_yaml ||
      http.target.starts_with(kControl)) {
    return false;
  }
  return !is_plain_json(http.body);
}

api::Result<ReadBody> HttpFront::read_body(std::string_view body) const {
  return options_.json_from_yaml(body);
}

void HttpFront::put_json(HttpRequest& http, std::string json) {
  http.body = std::move(json);
  if (media_type_of(http.fields) != kApplyType) {
    set_field(http.fields, "Content-Type", "application/json");
  }
}

api::Result<void> HttpFront::read_body_as_json(HttpRequest& http, BodyAsRead read) const {
  if (read != nullptr) {
    return *read ? api::Result<void>() : api::Result<void>(read->error());
  }
  const std::string type = media_type_of(http.fields);
  if (!http.body.empty() && http.method != "PATCH" && !is_body_type(type)) {
    return api::error_from(api::failure(
        api::StatusReason::UnsupportedMediaType,
        "the body of the request was in an unknown format - accepted media types include: "
        "application/json, application/yaml, application/vnd.kubernetes.protobuf"));
  }
  if (http.body.empty() || (type != kProtobufType && !is_yaml(type))) {
    return {};
  }
  if (needs_reading(http)) {
    api::Result<ReadBody> made = read_body(http.body);
    if (!made) {
      return made.error();
    }
    put_json(http, std::move((*std::move(made)).json));
    return {};
  }
  if (is_yaml(type) && !options_.json_from_yaml && !is_plain_json(http.body)) {
    return api::error_from(
        api::failure(api::StatusReason::UnsupportedMediaType, "this server reads no YAML"));
  }
  api::Result<std::string> text = is_yaml(type) ? api::Result<std::string>(std::move(http.body))
                                                : json_from_protobuf(http.body);
  if (!text) {
    return text.error();
  }
  put_json(http, *std::move(text));
  return {};
}

/// Why the server does not do that with a path; nothing when it may. An object in the body that
/// does not say its kind is of the kind that belongs there.
std::optional<api::Status> HttpFront::refusal_of_path(HttpRequest& http) {
  HttpRequest look{.method = "GET", .target = http.target};
  const api::Result<Request> about = request_from(look);
  const Target target = target_from(http.target).value_or(Target{});
  if (const std::string missing = missing_subresource(target); !missing.empty()) {
    return api::failure(api::StatusReason::NotFound, missing);
  }
  if (!about) {
    return std::nullopt;  // what else is wrong is found later
  }
  const ResourceType type = type_of(*about);
  const std::size_t of_status = type.namespaced ? 8 : 6;  // apis/GROUP/VERSION/…/NAME/status
  const bool lacks_status = type.custom && !type.status_subresource &&
                            target.path.size() == of_status && target.path.back() == "status";
  if (type.kind.empty() || lacks_status) {
    return status_bodies::unknown_resource();
  }
  const bool has_object = http.method == "POST" || http.method == "PUT";
  return has_object ? refusal_of_kind(http.body, type) : std::nullopt;
}

/// 422 when it would make an object of a name that none can have.
std::optional<api::Status> HttpFront::refusal_of_names(const Request& request) {
  const bool applies = request.verb == Verb::Patch && request.patch_type == PatchType::Apply;
  const bool creates = request.verb == Verb::Create && request.object != nullptr;
  if (!applies && !creates) {
    return std::nullopt;
  }
  std::optional<api::Status> refusal;
  host_->look([&](ControlPlane& servers) {
    if (const ResourceType* const type = servers.types().find(request.resource)) {
      refusal = creates ? refusal_of_name(*type, request.object->metadata.name,
                                          request.object->metadata.generate_name)
                        : refusal_of_name(*type, request.name, "");
    }
  });
  return refusal;
}

/// A type without a kind for a collection that is not served.
ResourceType HttpFront::type_of(const Request& request) {
  ResourceType found;
  host_->look([&](ControlPlane& servers) {
    const ResourceType* const type = servers.types().find(request.resource);
    found = type == nullptr ? ResourceType() : *type;
  });
  return found;
}

std::optional<ScalePaths> HttpFront::scale_of_path(const Target& target) {
  std::optional<ScalePaths> found;
  host_->look([&](ControlPlane& servers) { found = scale_paths(target, servers.types()); });
  return found;
}

api::Result<Request> HttpFront::request_for(HttpRequest http, BodyAsRead as_read) {
  // A pod's resources can be changed only through its subresource.
  const Target whole = target_from(http.target).value_or(Target{});
  const bool resizes = !whole.path.empty() && whole.path.back() == "resize";
  const api::Result<void> read = read_body_as_json(http, as_read);
  if (read && !is_utf8(http.body)) {
    return api::error_from(status_bodies::bad_request("the body is no UTF-8"));
  }
  if (read && !http.body.empty()) {
    if (const std::optional<api::Status> refusal = refusal_of_json(http.body)) {
      return api::error_from(*refusal);
    }
  }
  if (const std::optional<Target> target = target_from(http.target); read && target) {
    const std::optional<ScalePaths> scale = scale_of_path(*target);
    api::Result<HttpRequest> behind = scale ? request_behind_scale(std::move(http), *target, *scale)
                                            : request_behind_subresource(std::move(http), *target);
    if (!behind) {
      return behind.error();
    }
    http = *std::move(behind);
  }
  if (const std::optional<api::Status> refusal = refusal_of_path(http)) {
    return api::error_from(*refusal);
  }
  if (!read) {
    return read.error();
  }
  api::Result<Request> request = request_from(http);
  if (!request) {
    return request.error();
  }
  Request made = *std::move(request);
  if (const std::optional<api::Status> refusal = refusal_of_names(made)) {
    return api::error_from(*refusal);
  }
  const Target target = target_from(http.target).value_or(Target{});
  const std::string_view validation = value_in(target.query, "fieldValidation").value_or("");
  if (const std::optional<api::Status> refusal =
          refusal_of_fields(made, http.body, type_of(made),
                            {.validation = validation, .repeated_keys = repeated_in(as_read)})) {
    return api::error_from(*refusal);
  }
  if (const std::optional<api::Status> refusal = refusal_of_definition(made)) {
    return api::error_from(*refusal);
  }
  DefinedResources::before(made);
  made.validated = options_.validates && !resizes;
  return made;
}

std::string HttpFront::client_of(HttpRequest& http, std::uint16_t port) const {
  const std::string known = options_.client_names ? options_.client_names(http, port) : "";
  return known.empty() ? client_name(field_of(http.fields, "User-Agent")) : known;
}

api::Result<BodyView> HttpFront::view_for(const HttpRequest& http, const Request& request,
                                          BodyAsRead read) {
  const std::string_view accept = field_of(http.fields, "Accept");
  const ResourceType type = type_of(request);
  const Kind* const kind = built_in_kind(type);
  const std::optional<AcceptedForm> accepted = accepted_in(accept, kind != nullptr);
  if (!accepted) {
    return api::error_from(api::failure(
        api::StatusReason::NotAcceptable,
        kind == nullptr ? "only the following media types are accepted: application/json"
                        : "only the following media types are accepted: application/json, "
                          "application/vnd.kubernetes.protobuf"));
  }
  BodyView view{
      .form = accepted->form, .protobuf = accepted->protobuf, .resource = request.resource};
  if (const std::optional<Target> target = target_from(http.target)) {
    const std::optional<ScalePaths> scale = scale_of_path(*target);
    const bool of_scale = scale.has_value();
    view.scale = scale.value_or(ScalePaths());
    view.form = of_scale ? BodyForm::Scale : form_of_subresource(*target).value_or(view.form);
    view.include_object = value_in(target->query, "includeObject").value_or("Metadata");
    if (view.form == BodyForm::Table && type.columns != nullptr) {
      view.columns =
          std::make_shared<const std::vector<TableColumn>>(printer_columns(*type.columns));
    }
    if (!type.warning.empty()) {
      view.warnings.push_back(type.warning);
    }
    const bool warns = value_in(target->query, "fieldValidation") != "Ignore";
    if (warns && !of_scale && view.form != BodyForm::Done && !http.body.empty() &&
        request.verb != Verb::Delete && request.verb != Verb::DeleteCollection) {
      std::ranges::copy(repeated_in(read), std::back_inserter(view.warnings));
      std::ranges::move(unknown_fields(http.body, type), std::back_inserter(view.warnings));
    }
    std::ranges::move(DefinedResources::remarks_on(request), std::back_inserter(view.warnings));
  }
  return view;
}

std::string HttpFront::common_fields(const BodyView& view) {
  return fmt::format("Audit-Id: {}\r\nCache-Control: no-cache, private\r\n",
                     uid_for(kAuditSeed, ++answered_)) +
         warning_fields(view.warnings);
}

void HttpFront::refused(const api::Status& status) {
  ++refused_;
  last_refusal_ = fmt::format("{}: {}", status.code, status.message);
}

std::string HttpFront::refusals() const {
  return refused_ == 0 ? ""
         : refused_ == 1
             ? fmt::format("one was refused with {}", last_refusal_)
             : fmt::format("{} were refused, the last with {}", refused_, last_refusal_);
}

void HttpFront::served(const Request& request, const Response& response) {
  constexpr std::int32_t kFirstFailure = 300;
  const bool reads =
      request.verb == Verb::Get || request.verb == Verb::List || request.verb == Verb::Watch;
  if (!reads && response.code < kFirstFailure) {
    resources_.after(request);
  }
}

}  // namespace watchlab::sim
