#include "sim/apiserver/status_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

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

Status modified_since(const api::GroupVersionResource& resource, std::string_view name) {
  return about(resource, name, StatusReason::Conflict,
               fmt::format("Operation cannot be fulfilled on {} \"{}\": the object has been "
                           "modified; please apply your changes to the latest version and try "
                           "again",
                           qualified_name(resource), name));
}

Status precondition_failed(const api::GroupVersionResource& resource, std::string_view name,
                           std::string_view why) {
  return about(resource, name, StatusReason::Conflict,
               fmt::format("Operation cannot be fulfilled on {} \"{}\": Precondition failed: {}",
                           qualified_name(resource), name, why));
}

Status invalid_object(const api::GroupVersionResource& resource, std::string_view kind,
                      std::string_view name, api::StatusCause cause) {
  const std::string full_kind =
      resource.group.empty() ? std::string(kind) : fmt::format("{}.{}", kind, resource.group);
  Status status = about(
      resource, name, StatusReason::Invalid,
      fmt::format("{} \"{}\" is invalid: {}: {}", full_kind, name, cause.field, cause.message));
  status.details.kind = kind;
  status.details.causes.push_back(std::move(cause));
  return status;
}

Status invalid_options(api::StatusCause cause) {
  return invalid_object({"meta.k8s.io", "v1", ""}, "ListOptions", "", std::move(cause));
}

Status invalid_patch_options(api::StatusCause cause) {
  return invalid_object({"meta.k8s.io", "v1", ""}, "PatchOptions", "", std::move(cause));
}

Status apply_conflict(std::string message, std::vector<api::StatusCause> causes) {
  Status status = api::failure(StatusReason::Conflict, std::move(message));
  status.details.causes = std::move(causes);
  return status;
}

Status bad_request(std::string message) {
  return api::failure(StatusReason::BadRequest, std::move(message));
}

Status invalid_revision(std::string_view text) {
  return bad_request(fmt::format("invalid resource version: \"{}\"", text));
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
  status.code = 200;
  status.details.name = name;
  status.details.group = resource.group;
  status.details.kind = resource.resource;
  status.details.uid = uid;
  return status;
}

}  // namespace watchlab::sim::status_bodies
