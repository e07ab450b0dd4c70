#include "core/client/api_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "core/api/json.hpp"

namespace watchlab::client {

namespace {

std::string bool_text(bool value) { return value ? "true" : "false"; }

/// Counts up from nothing: a query has at most one of each.
class QueryWriter {
 public:
  void add(std::string_view name, std::string value) {
    if (!value.empty()) {
      query_.emplace_back(name, std::move(value));
    }
  }
  void add(std::string_view name, std::int64_t value) {
    add(name, value == 0 ? std::string() : std::to_string(value));
  }
  [[nodiscard]] Query take() { return std::move(query_); }

 private:
  Query query_;
};

api::StatusReason reason_for(std::int32_t code) {
  using Reason = api::StatusReason;
  constexpr std::array kReasons{Reason::Unauthorized,
                                Reason::Forbidden,
                                Reason::NotFound,
                                Reason::MethodNotAllowed,
                                Reason::NotAcceptable,
                                Reason::Conflict,
                                Reason::Expired,
                                Reason::RequestEntityTooLarge,
                                Reason::UnsupportedMediaType,
                                Reason::Invalid,
                                Reason::TooManyRequests,
                                Reason::InternalError,
                                Reason::BadRequest,
                                Reason::ServiceUnavailable,
                                Reason::Timeout};
  const auto found = std::find_if(kReasons.begin(), kReasons.end(),
                                  [code](Reason each) { return api::code_for(each) == code; });
  return found == kReasons.end() ? Reason::Unknown : *found;
}

/// What a code says by itself. Mirrors apimachinery api/errors, NewGenericServerResponse.
api::Status generic_status(std::int32_t code, std::string_view body) {
  constexpr std::size_t kShown = 256;
  api::Status status = api::failure(
      reason_for(code), fmt::format("the server responded with the status code {} but did not "
                                    "return more information",
                                    code));
  status.code = code;
  if (!body.empty()) {
    status.details.causes.push_back(
        {"UnexpectedServerResponse", std::string(body.substr(0, kShown)), ""});
  }
  return status;
}

std::int32_t retry_after(const HttpHead& head) {
  const std::string_view text = field_of(head.fields, "Retry-After");
  std::int32_t seconds = 0;
  std::from_chars(text.data(), text.data() + text.size(), seconds);
  return std::max(seconds, 0);
}

}  // namespace

Query query_from(const api::ListOptions& options) {
  QueryWriter query;
  query.add("allowWatchBookmarks", options.allow_watch_bookmarks ? "true" : "");
  query.add("continue", options.continue_token);
  query.add("fieldSelector", options.field_selector);
  query.add("labelSelector", options.label_selector);
  query.add("limit", options.limit);
  query.add("resourceVersion", options.resource_version);
  if (options.resource_version_match != api::ResourceVersionMatch::Unset) {
    const bool exact = options.resource_version_match == api::ResourceVersionMatch::Exact;
    query.add("resourceVersionMatch", exact ? "Exact" : "NotOlderThan");
  }
  if (options.send_initial_events) {
    query.add("sendInitialEvents", bool_text(*options.send_initial_events));
  }
  query.add("timeoutSeconds", options.timeout_seconds);
  return query.take();
}

std::string path_of(const api::GroupVersionResource& resource, std::string_view namespace_name,
                    std::string_view name) {
  std::string path = resource.group.empty() ? fmt::format("/api/{}", escaped(resource.version))
                                            : fmt::format("/apis/{}/{}", escaped(resource.group),
                                                          escaped(resource.version));
  if (!namespace_name.empty()) {
    path += fmt::format("/namespaces/{}", escaped(namespace_name));
  }
  path += "/" + escaped(resource.resource);
  if (!name.empty()) {
    path += "/" + escaped(name);
  }
  return path;
}

bool is_json(const HttpHead& head) { return media_type_of(head.fields) == "application/json"; }

api::Error not_json(const HttpHead& head) {
  return {
      api::ErrorKind::Decode,
      fmt::format("no serializers are registered for {}", field_of(head.fields, "Content-Type")),
      {}};
}

api::Error failure_from(const HttpHead& head, std::string_view body) {
  api::Result<api::Status> read = api::status_from_json(body);
  api::Status status = read ? *std::move(read) : generic_status(head.code, body);
  if (status.code == 0) {
    status.code = head.code;
  }
  if (status.details.retry_after_seconds == 0) {
    status.details.retry_after_seconds = retry_after(head);
  }
  return api::error_from(std::move(status));
}

}  // namespace watchlab::client
