#include "sim/apiserver/write_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/api/json.hpp"
#include "sim/apiserver/json_patch.hpp"
#include "sim/apiserver/stamps.hpp"
#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {

namespace {

api::Error invalid(const ResourceType& type, const std::string& name, api::StatusCause cause) {
  return api::error_from(
      status_bodies::invalid_object(type.resource, type.kind, name, std::move(cause)));
}

bool adds_finalizer(const api::ObjectMeta& before, const api::ObjectMeta& after) {
  return std::any_of(after.finalizers.begin(), after.finalizers.end(), [&](const auto& each) {
    return std::find(before.finalizers.begin(), before.finalizers.end(), each) ==
           before.finalizers.end();
  });
}

/// What a client may write, of the object that it has sent; the rest stays as it is. Most objects
/// have no more than a name and a body.
void take_client_fields(const api::Object& sent, api::Object& next) {
  next.metadata.name = sent.metadata.name;
  if (!sent.metadata.labels.empty()) {
    next.metadata.labels = sent.metadata.labels;
  }
  if (!sent.metadata.annotations.empty()) {
    next.metadata.annotations = sent.metadata.annotations;
  }
  if (!sent.metadata.finalizers.empty()) {
    next.metadata.finalizers = sent.metadata.finalizers;
  }
  next.metadata.other_members = sent.metadata.other_members;
  next.body = sent.body;
}

/// Puts back what only the server may write.
void keep_server_fields(const api::ObjectMeta& existing, api::ObjectMeta& next) {
  next.namespace_ = existing.namespace_;
  next.uid = existing.uid;
  next.resource_version = existing.resource_version;
  next.generation = existing.generation;
  next.creation_timestamp = existing.creation_timestamp;
  next.deletion_timestamp = existing.deletion_timestamp;
  next.generate_name = existing.generate_name;
}

}  // namespace

api::Result<FreshObject> new_object(const ResourceType& type, const Request& request,
                                    runtime::TimePoint now) {
  if (request.object == nullptr) {
    return api::error_from(status_bodies::bad_request("an object is required"));
  }
  const api::ObjectMeta& asked = request.object->metadata;
  if (!asked.resource_version.empty()) {
    return api::error_from(
        api::failure(api::StatusReason::InternalError,
                     "resourceVersion should not be set on objects to be created"));
  }
  if (type.namespaced && !asked.namespace_.empty() && asked.namespace_ != request.namespace_) {
    return api::error_from(status_bodies::bad_request(
        "the namespace of the provided object does not match the namespace sent on the request"));
  }
  if (asked.name.empty()) {
    return invalid(type, "",
                   {"FieldValueRequired", "Required value: name or generateName is required",
                    "metadata.name"});
  }
  auto object = std::make_shared<api::Object>();
  take_client_fields(*request.object, *object);
  object->api_version = api_version_of(type.resource);
  object->kind = type.kind;
  api::ObjectMeta& metadata = object->metadata;
  metadata.namespace_ = request.namespace_;
  metadata.generate_name = asked.generate_name;
  metadata.creation_timestamp = timestamp(now);
  metadata.generation = type.counts_generations ? 1 : 0;
  return object;
}

api::Result<FreshObject> updated_object(const ResourceType& type, const api::Object& existing,
                                        const Request& request) {
  const bool status_only = request.verb == Verb::UpdateStatus;
  const api::ObjectMeta& asked = request.object->metadata;
  const std::string& name = existing.metadata.name;
  if (!asked.uid.empty() && asked.uid != existing.metadata.uid) {
    return api::error_from(status_bodies::precondition_failed(
        type.resource, name,
        fmt::format("UID in precondition: {}, UID in object meta: {}", asked.uid,
                    existing.metadata.uid)));
  }
  if (asked.resource_version.empty() && type.custom) {
    return invalid(type, name,
                   {"FieldValueInvalid", "Invalid value: 0x0: must be specified for an update",
                    "metadata.resourceVersion"});
  }
  if (!asked.resource_version.empty() &&
      asked.resource_version != existing.metadata.resource_version) {
    return api::error_from(status_bodies::modified_since(type.resource, name));
  }
  auto next = std::make_shared<api::Object>();
  take_client_fields(status_only ? existing : *request.object, *next);
  next->api_version = existing.api_version;
  next->kind = existing.kind;
  keep_server_fields(existing.metadata, next->metadata);
  if (status_only) {
    next->body = with_status_of(existing.body, request.object->body);
    return next;
  }
  if (!existing.metadata.deletion_timestamp.empty() &&
      adds_finalizer(existing.metadata, next->metadata)) {
    return invalid(type, name,
                   {"FieldValueForbidden",
                    "Forbidden: no new finalizers can be added if the object is being deleted",
                    "metadata.finalizers"});
  }
  if (type.status_subresource) {
    next->body = with_status_of(next->body, existing.body);
  }
  if (type.counts_generations && !same_but_for_status(existing.body, next->body)) {
    ++next->metadata.generation;
  }
  return next;
}

api::Result<api::Object> patched_object(const ResourceType& type, const api::Object& existing,
                                        const Request& request) {
  const bool strategic = request.patch_type == PatchType::Strategic;
  if (strategic && type.custom) {
    return api::error_from(api::failure(
        api::StatusReason::UnsupportedMediaType,
        "the body of the request was in an unknown format - accepted media types include: "
        "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"));
  }
  const auto patch = strategic                                ? strategic_patched
                     : request.patch_type == PatchType::Merge ? merge_patched
                                                              : json_patched;
  const api::Result<std::string> text = patch(api::to_json(existing), request.patch);
  if (!text) {
    return text.error();
  }
  api::Result<api::Object> object = api::object_from_json(*text);
  if (!object) {
    return api::error_from(status_bodies::bad_request(object.error().message));
  }
  if (object->metadata.name != existing.metadata.name) {
    return api::error_from(status_bodies::bad_request(
        fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                    object->metadata.name, existing.metadata.name)));
  }
  return object;
}

bool changes_nothing(const api::Object& existing, const api::Object& next) {
  // The bodies first: most updates change them, and only them.
  return same_body(existing.body, next.body) && existing.metadata == next.metadata;
}

api::Object marked_for_deletion(const api::Object& existing, const DeleteOptions& options,
                                runtime::TimePoint now) {
  api::Object marked = existing;
  marked.metadata.deletion_timestamp = timestamp(now);
  marked.metadata.generation += marked.metadata.generation > 0 ? 1 : 0;
  auto& finalizers = marked.metadata.finalizers;
  const std::string wanted = options.propagation_policy == "Orphan"       ? "orphan"
                             : options.propagation_policy == "Foreground" ? "foregroundDeletion"
                                                                          : "";
  if (!wanted.empty() &&
      std::find(finalizers.begin(), finalizers.end(), wanted) == finalizers.end()) {
    finalizers.push_back(wanted);
  }
  return marked;
}

api::Result<void> check_preconditions(const ResourceType& type, const api::Object& existing,
                                      const DeleteOptions& options) {
  const api::ObjectMeta& metadata = existing.metadata;
  if (!options.uid.empty() && options.uid != metadata.uid) {
    return api::error_from(status_bodies::precondition_failed(
        type.resource, metadata.name,
        fmt::format("UID in precondition: {}, UID in object meta: {}", options.uid, metadata.uid)));
  }
  if (!options.resource_version.empty() && options.resource_version != metadata.resource_version) {
    return api::error_from(status_bodies::precondition_failed(
        type.resource, metadata.name,
        fmt::format("ResourceVersion in precondition: {}, ResourceVersion in object meta: {}",
                    options.resource_version, metadata.resource_version)));
  }
  return {};
}

}  // namespace watchlab::sim
