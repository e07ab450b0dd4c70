#include "sim/apiserver/status_bodies.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/resource_type.hpp"

namespace watchlab::sim::status_bodies {

using api::Status;
using api::StatusReason;

namespace {

Status about(const api::GroupVersionResource& resource, std::string_view name, StatusReason reason,
             std::string message) {
  Status status = api::failure(reason, std::move(message));
  status.details.name = name;
  status.details.group = resource.group;
  status.details.kind = resource.resource;
  return status;
}

/// "Deployment.apps", or the kind alone for those without a group.
std::string full_kind_of(const api::GroupVersionResource& resource, std::string_view kind) {
  return resource.group.empty() ? std::string(kind) : fmt::format("{}.{}", kind, resource.group);
}

}  // namespace

Status not_found(const api::GroupVersionResource& resource, std::string_view name) {
  return about(resource, name, StatusReason::NotFound,
               fmt::format("{} \"{}\" not found", qualified_name(resource), name));
}

Status unknown_resource() {
  return api::failure(StatusReason::NotFound, "the server could not find the requested resource");
}

Status already_exists(const api::GroupVersionResource& resource, std::string_view name) {
  return about(resource, name, StatusReason::AlreadyExists,
               fmt::format("{} \"{}\" already exists", qualified_name(resource), name));
}

Status still_exists(const api::GroupVersionResource& resource, std::string_view name) {
  Status status = already_exists(resource, name);
  status.message.insert(0, "object is being deleted: ");
  return status;
}

Status modified_since(const api::GroupVersionResource& resource, std::string_view name) {
  return about(resource, name, StatusReason::Conflict,
               fmt::format("Operation cannot be fulfilled on {} \"{}\": the object has been "
                           "modified; please apply your changes to the latest version and try "
                           "again",
                           qualified_name(resource), name));
}

Status other_uid(const ResourceType& type, const std::string& key, std::string_view asked,
                 std::string_view found) {
  const api::GroupVersionResource& resource = type.resource;
  const std::string name = key.substr(key.find('/') + 1);
  return about(resource, name, StatusReason::Conflict,
               fmt::format("Operation cannot be fulfilled on {} \"{}\": StorageError: invalid "
                           "object, Code: 4, Key: /registry/{}{}/{}, ResourceVersion: 0, "
                           "AdditionalErrorMsg: Precondition failed: UID in precondition: {}, UID "
                           "in object meta: {}",
                           qualified_name(resource), name, type.custom ? resource.group + "/" : "",
                           resource.resource, key, asked, found));
}

Status nothing_of_uid(const ResourceType& type, std::string_view name, std::string_view asked) {
  return about(type.resource, name, StatusReason::Conflict,
               fmt::format("Operation cannot be fulfilled on {} \"{}\": uid mismatch: the provided "
                           "object specified uid {}, and no existing object was found",
                           qualified_name(type.resource), name, asked));
}

Status precondition_failed(const ResourceType& type, std::string_view name, std::string_view why,
                           std::string_view hint) {
  Status status = about(
      type.resource, name, StatusReason::Conflict,
      fmt::format("Operation cannot be fulfilled on {} \"{}\": {}. The object might have been {}",
                  full_kind_of(type.resource, type.kind), name, why, hint));
  status.details.kind = type.kind;
  return status;
}

Status invalid_object(const api::GroupVersionResource& resource, std::string_view kind,
                      std::string_view name, std::vector<api::StatusCause> causes) {
  std::set<std::string> known;
  std::vector<std::string_view> texts;  // each once, although it may be a cause twice
  for (const api::StatusCause& cause : causes) {
    const auto [text, is_new] = known.insert(fmt::format("{}: {}", cause.field, cause.message));
    if (is_new) {
      texts.push_back(*text);
    }
  }
  const std::string all = fmt::format("{}", fmt::join(texts, ", "));
  Status status = about(resource, name, StatusReason::Invalid,
                        fmt::format("{} \"{}\" is invalid: {}", full_kind_of(resource, kind), name,
                                    texts.size() == 1 ? all : "[" + all + "]"));
  status.details.kind = kind;
  status.details.causes = std::move(causes);
  return status;
}

Status invalid_options(std::vector<api::StatusCause> causes) {
  return invalid_object({"meta.k8s.io", "v1", ""}, "ListOptions", "", std::move(causes));
}

Status invalid_patch_options(api::StatusCause cause) {
  return invalid_object({"meta.k8s.io", "v1", ""}, "PatchOptions", "", {std::move(cause)});
}

Status unsupported_patch() {
  return api::failure(
      StatusReason::UnsupportedMediaType,
      "the body of the request was in an unknown format - accepted media types include: "
      "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml");
}

Status apply_conflict(std::string message, std::vector<api::StatusCause> causes) {
  Status status = api::failure(StatusReason::Conflict, std::move(message));
  status.details.causes = std::move(causes);
  return status;
}

Status bad_request(std::string message) {
  return api::failure(StatusReason::BadRequest, std::move(message));
}

Status nameless_failure(std::string message) {
  Status status = api::failure(StatusReason::InternalError, std::move(message));
  status.reason = StatusReason::Unknown;
  return status;
}

Status no_revision(std::string_view text) {
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  return nameless_failure(fmt::format(
      "resourceVersion: Invalid value: \"{0}\": strconv.ParseUint: parsing \"{0}\": {1}", text,
      is_number ? "value out of range" : "invalid syntax"));
}

Status list_of_no_revision(std::string_view text) {
  return bad_request("invalid resource version: " + no_revision(text).message);
}

Status list_expired() {
  return api::failure(StatusReason::Expired,
                      "The resourceVersion for the provided list is too old.");
}

Status continue_expired(std::string inconsistent_token) {
  Status status = api::failure(
      StatusReason::Expired,
      "The provided continue parameter is too old to display a consistent list result. You can "
      "start a new list without the continue parameter, or use the continue token in this response "
      "to retrieve the remainder of the results. Continuing with the provided token results in an "
      "inconsistent list - objects that were created, modified, or deleted between the time the "
      "first chunk was returned and now may show up in the list.");
  status.continue_token = std::move(inconsistent_token);
  return status;
}

Status watch_too_old(Revision asked, Revision oldest) {
  return api::failure(StatusReason::Expired,
                      fmt::format("too old resource version: {} ({})", asked, oldest - 1));
}

Status uncached_watch_too_old() {
  return api::failure(StatusReason::Expired,
                      "The resourceVersion for the provided watch is too old.");
}

Status too_large_revision(Revision asked, Revision current) {
  Status status = api::failure(
      StatusReason::Timeout,
      fmt::format("Timeout: Too large resource version: {}, current: {}", asked, current));
  status.details.causes.push_back({"ResourceVersionTooLarge", "Too large resource version", ""});
  status.details.retry_after_seconds = 1;
  return status;
}

Status too_large_object(std::size_t limit) {
  return api::failure(StatusReason::RequestEntityTooLarge,
                      fmt::format("Request entity too large: limit is {}", limit));
}

Status cache_not_ready(runtime::Duration down_for) {
  Status status = api::failure(StatusReason::TooManyRequests, "storage is (re)initializing");
  const double down_seconds = std::chrono::duration<double>(down_for).count();
  status.details.retry_after_seconds =
      static_cast<std::int32_t>(std::clamp(std::exp(0.06 * down_seconds), 1.0, 30.0));
  return status;
}

Status namespace_terminating(const api::GroupVersionResource& resource, std::string_view name,
                             std::string_view namespace_name) {
  const std::string why =
      fmt::format("unable to create new content in namespace {} because it is being terminated",
                  namespace_name);
  Status status =
      about(resource, name, StatusReason::Forbidden,
            fmt::format("{} \"{}\" is forbidden: {}", qualified_name(resource), name, why));
  status.details.causes.push_back({"NamespaceTerminating",
                                   fmt::format("namespace {} is being terminated", namespace_name),
                                   "metadata.namespace"});
  return status;
}

Status deleted(const api::GroupVersionResource& resource, std::string_view name,
               std::string_view uid) {
  Status status;
  status.status = "Success";
  status.details.name = name;
  status.details.group = resource.group;
  status.details.kind = resource.resource;
  status.details.uid = uid;
  return status;
}

}  // namespace watchlab::sim::status_bodies

namespace watchlab::sim {

namespace {

/// Room for what is read only to be compared; bodies that are larger take more from the heap.
class Room {
 public:
  [[nodiscard]] boost::json::object read(std::string_view body) {
    boost::system::error_code error;
    boost::json::value value =
        boost::json::parse(body.empty() ? "{}" : body, error, boost::json::storage_ptr(&memory_),
                           {.max_depth = kJsonDepthMax});
    return !error && value.is_object() ? std::move(value.get_object())
                                       : boost::json::object(boost::json::storage_ptr(&memory_));
  }

 private:
  static constexpr std::size_t kSize = 2048;
  std::array<unsigned char, kSize> buffer_;
  boost::json::monotonic_resource memory_{buffer_.data(), buffer_.size()};
};

bool same_when_read(std::string_view a, std::string_view b) {
  Room room;
  return room.read(a) == room.read(b);
}

/// True when one member of two JSON objects has different strings, without escapes, and all else is
/// the same text. False says nothing. Most updates change one string, and to see that takes a tenth
/// of the time of reading both.
bool differ_in_one_string(std::string_view a, std::string_view b) {
  const auto same = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  const std::string_view before = a.substr(0, same);
  const std::size_t begin = before.rfind('"');
  const std::size_t end_of_a = a.find('"', same);
  const std::size_t end_of_b = b.find('"', same);
  const bool is_in_a_value = a.starts_with('{') && begin != std::string_view::npos &&
                             a[begin - 1] == ':' && std::ranges::count(before, '"') % 2 == 1;
  return is_in_a_value && end_of_a != std::string_view::npos &&
         end_of_b != std::string_view::npos && a.substr(end_of_a) == b.substr(end_of_b) &&
         a.find('\\') == std::string_view::npos && b.find('\\') == std::string_view::npos;
}

}  // namespace

bool same_body(std::string_view a, std::string_view b) {
  return a == b || (!differ_in_one_string(a, b) && same_when_read(a, b));
}

bool same_but_for_status(std::string_view a, std::string_view b) {
  if (a == b) {
    return true;
  }
  boost::json::object first = object_in(a);
  boost::json::object second = object_in(b);
  first.erase("status");
  second.erase("status");
  return first == second;
}

std::string with_status_of(const std::string& body, const std::string& source) {
  boost::json::object merged = object_in(body);
  const boost::json::object other = object_in(source);
  if (const auto* status = other.if_contains("status")) {
    merged["status"] = *status;
  } else {
    merged.erase("status");
  }
  return boost::json::serialize(merged);
}

}  // namespace watchlab::sim
