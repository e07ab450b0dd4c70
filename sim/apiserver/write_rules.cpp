#include "sim/apiserver/write_rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "core/api/json.hpp"
#include "sim/apiserver/applied_fields.hpp"
#include "sim/apiserver/json_patch.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/stamps.hpp"
#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

constexpr std::string_view kGraceMember = "deletionGracePeriodSeconds";

std::string pod_text(const json::value& object, const char* pointer) {
  boost::system::error_code failure;
  const json::value* const found = object.find_pointer(pointer, failure);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
}

std::int64_t pod_number(const json::value& object, const char* pointer, std::int64_t otherwise) {
  boost::system::error_code failure;
  const json::value* const found = object.find_pointer(pointer, failure);
  return found != nullptr && found->is_int64() ? found->as_int64() : otherwise;
}

/// The other members of an object's metadata, with its grace period among them.
std::string with_grace(const std::string& other_members, std::int64_t seconds) {
  json::object members = object_in(other_members);
  members[kGraceMember] = seconds;
  return json::serialize(members);
}

bool is_namespaces(const ResourceType& type) {
  return type.resource.group.empty() && type.resource.resource == "namespaces";
}

/// Labels and annotations that come with a status are taken in, but not those of custom resources
/// and of a few others. Mirrors the strategies of kubernetes pkg/registry, PrepareForUpdate.
void take_metadata_with_status(const ResourceType& type, const api::ObjectMeta& sent,
                               api::ObjectMeta& next) {
  const std::string& group = type.resource.group;
  if (type.custom || group == "apiextensions.k8s.io" || group == "apiregistration.k8s.io") {
    return;
  }
  next.annotations = sent.annotations;
  if (type.kind != "Deployment") {
    next.labels = sent.labels;
  }
}

api::Error invalid(const ResourceType& type, const std::string& name,
                   std::vector<api::StatusCause> causes) {
  return api::error_from(
      status_bodies::invalid_object(type.resource, type.kind, name, std::move(causes)));
}

/// The finalizers that `after` has and `before` has not, in order.
std::vector<std::string> added_finalizers(const api::ObjectMeta& before,
                                          const api::ObjectMeta& after) {
  std::vector<std::string> added;
  for (const std::string& each : after.finalizers) {
    if (std::ranges::find(before.finalizers, each) == before.finalizers.end()) {
      added.push_back(fmt::format("\"{}\"", each));
    }
  }
  std::ranges::sort(added);
  return added;
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

/// What a ConfigMap or Secret holds, without maps that hold nothing: those are not stored.
void drop_empty_maps(const ResourceType& type, std::string& body) {
  const bool has_maps = type.kind == "ConfigMap" || type.kind == "Secret";
  if (!has_maps ||
      (body.find("{}") == std::string::npos && body.find("null") == std::string::npos)) {
    return;
  }
  json::object members = object_in(body);
  for (const char* const map : {"data", "binaryData", "stringData"}) {
    const json::value* const held = members.if_contains(map);
    if (held != nullptr && (held->is_null() || (held->is_object() && held->get_object().empty()))) {
      members.erase(map);
    }
  }
  body = json::serialize(members);
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
  if (const std::int64_t grace = granted_grace(existing); grace > 0) {
    next.other_members = with_grace(next.other_members, grace);
  }
}

/// What defaults, a patch or an apply have made of it may be too large to store.
api::Result<void> check_size(const api::Object& object) {
  return object.body.size() + object.metadata.other_members.size() > kPatchedMax
             ? api::Result<void>(api::error_from(status_bodies::too_large_object(kPatchedMax)))
             : api::Result<void>();
}

}  // namespace

api::Result<FreshObject> new_object(const ResourceType& type, const Request& request,
                                    runtime::TimePoint now) {
  if (request.object == nullptr) {
    return api::error_from(status_bodies::bad_request("an object is required"));
  }
  if (api::Result<void> fits = check_size(*request.object); !fits) {
    return fits.error();
  }
  const api::ObjectMeta& asked = request.object->metadata;
  if (!asked.resource_version.empty() && asked.resource_version != "0") {
    return api::error_from(status_bodies::nameless_failure(
        "resourceVersion should not be set on objects to be created"));
  }
  if (type.namespaced && !asked.namespace_.empty() && asked.namespace_ != request.namespace_) {
    return api::error_from(status_bodies::bad_request(
        "the namespace of the provided object does not match the namespace sent on the request"));
  }
  if (asked.name.empty()) {
    return invalid(type, "",
                   {{"FieldValueRequired", "Required value: name or generateName is required",
                     "metadata.name"}});
  }
  auto object = std::make_shared<api::Object>();
  take_client_fields(*request.object, *object);
  drop_empty_maps(type, object->body);
  object->api_version = api_version_of(type.resource);
  object->kind = type.kind;
  if (type.custom && type.status_subresource) {
    object->body = with_status_of(object->body, "");
  }
  api::ObjectMeta& metadata = object->metadata;
  metadata.namespace_ = request.namespace_;
  metadata.generate_name = asked.generate_name;
  metadata.creation_timestamp = timestamp(now);
  metadata.generation = type.counts_generations ? 1 : asked.generation;
  return object;
}

api::Result<FreshObject> updated_object(const ResourceType& type, const api::Object& existing,
                                        const Request& request) {
  if (api::Result<void> fits = check_size(*request.object); !fits) {
    return fits.error();
  }
  if (!existing.metadata.other_members.empty()) {  // then there may be owners to keep account of
    if (api::Result<void> fits = check_paths(request.object->body); !fits) {
      return fits.error();
    }
  }
  const bool status_only = writes_status(request);
  const api::ObjectMeta& asked = request.object->metadata;
  const std::string& name = existing.metadata.name;
  const bool other = !asked.uid.empty() && asked.uid != existing.metadata.uid;
  if (other && request.verb != Verb::Patch) {
    return api::error_from(status_bodies::other_uid(type, api::key_of(existing.metadata), asked.uid,
                                                    existing.metadata.uid));
  }
  // "0" is what a revision is that was not set.
  const bool unconditional = asked.resource_version.empty() || asked.resource_version == "0";
  if (unconditional && type.custom) {
    return api::error_from(status_bodies::invalid_object(
        type.resource, type.resource.resource, name,
        {{"FieldValueInvalid", "Invalid value: 0: must be specified for an update",
          "metadata.resourceVersion"}}));
  }
  if (!unconditional && asked.resource_version != existing.metadata.resource_version) {
    return api::error_from(status_bodies::modified_since(type.resource, name));
  }
  if (other && !(status_only && type.custom)) {  // of those the metadata is not looked at
    const api::StatusCause cause{
        "FieldValueInvalid", fmt::format("Invalid value: \"{}\": field is immutable", asked.uid),
        "metadata.uid"};
    return invalid(type, name, {cause, cause});
  }
  auto next = std::make_shared<api::Object>();
  take_client_fields(status_only ? existing : *request.object, *next);
  drop_empty_maps(type, next->body);
  next->api_version = existing.api_version;
  next->kind = existing.kind;
  keep_server_fields(existing.metadata, next->metadata);
  if (status_only) {
    next->body = with_status_of(existing.body, request.object->body);
    take_metadata_with_status(type, asked, next->metadata);
    if (request.patch_type == PatchType::Apply) {
      next->metadata.other_members = asked.other_members;  // who owns what of the status
    }
    return next;
  }
  const auto added = existing.metadata.deletion_timestamp.empty()
                         ? std::vector<std::string>{}
                         : added_finalizers(existing.metadata, next->metadata);
  if (!added.empty()) {
    // A real server looks twice, and says twice what it has seen.
    const api::StatusCause cause{
        "FieldValueForbidden",
        fmt::format("Forbidden: no new finalizers can be added if the object is being deleted, "
                    "found new finalizers []string{{{}}}",
                    fmt::join(added, ", ")),
        "metadata.finalizers"};
    return invalid(type, name, {cause, cause});
  }
  if (type.status_subresource) {
    next->body = with_status_of(next->body, existing.body);
  }
  if (type.counts_generations && !same_but_for_status(existing.body, next->body)) {
    ++next->metadata.generation;
  }
  return next;
}

api::Result<api::Object> patched_object(const api::Object& existing, const Request& request) {
  const auto patch = request.patch_type == PatchType::Strategic ? strategic_patched
                     : request.patch_type == PatchType::Merge   ? merge_patched
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

void set_namespace_phase(api::Object& object, std::string_view phase) {
  json::object body = object_in(object.body);
  json::value& status = body["status"];
  (status.is_object() ? status.get_object() : status.emplace_object())["phase"] = phase;
  object.body = json::serialize(body);
}

void hold_namespace(const ResourceType& type, api::Object& object) {
  if (!is_namespaces(type)) {
    return;
  }
  json::object body = object_in(object.body);
  body["spec"] = json::object{{"finalizers", json::array{"kubernetes"}}};
  object.body = json::serialize(body);
  set_namespace_phase(object, "Active");
}

bool is_held_namespace(const ResourceType& type, const api::Object& object) {
  if (!is_namespaces(type)) {
    return false;
  }
  const json::value body = object_in(object.body);
  boost::system::error_code failure;
  const json::value* const held = body.find_pointer("/spec/finalizers/0", failure);
  return held != nullptr;
}

std::int64_t grace_of(const ResourceType& type, const api::Object& existing,
                      const DeleteOptions& options) {
  constexpr std::int64_t kDefaultSeconds = 30;
  if (!type.stops_gracefully) {
    return 0;
  }
  const json::value pod = object_in(existing.body);
  const std::string phase = pod_text(pod, "/status/phase");
  const bool runs = !pod_text(pod, "/spec/nodeName").empty();
  if (!runs || phase == "Succeeded" || phase == "Failed") {
    return 0;
  }
  const std::int64_t wanted = options.grace_period_seconds.value_or(
      pod_number(pod, "/spec/terminationGracePeriodSeconds", kDefaultSeconds));
  return wanted < 0 ? 1 : wanted;
}

std::int64_t granted_grace(const api::ObjectMeta& metadata) {
  return metadata.other_members.find(kGraceMember) == std::string::npos
             ? 0
             : pod_number(object_in(metadata.other_members), "/deletionGracePeriodSeconds", 0);
}

api::Object marked_for_deletion(const api::Object& existing, const DeleteOptions& options,
                                runtime::TimePoint now, std::int64_t grace) {
  api::Object marked = existing;
  const bool is_first = existing.metadata.deletion_timestamp.empty();
  marked.metadata.deletion_timestamp = timestamp(now + std::chrono::seconds(grace));
  marked.metadata.generation += is_first && marked.metadata.generation > 0 ? 1 : 0;
  if (grace > 0 || granted_grace(existing.metadata) > 0) {
    marked.metadata.other_members = with_grace(existing.metadata.other_members, grace);
  }
  auto& finalizers = marked.metadata.finalizers;
  const std::string wanted = options.propagation_policy == "Orphan"       ? "orphan"
                             : options.propagation_policy == "Foreground" ? "foregroundDeletion"
                                                                          : "";
  if (!wanted.empty() && std::ranges::find(finalizers, wanted) == finalizers.end()) {
    finalizers.push_back(wanted);
  }
  return marked;
}

api::Result<void> check_policy(const DeleteOptions& options) {
  const std::string& policy = options.propagation_policy;
  if (policy.empty() || policy == "Foreground" || policy == "Background" || policy == "Orphan") {
    return {};
  }
  return api::error_from(status_bodies::invalid_object(
      {"meta.k8s.io", "v1", ""}, "DeleteOptions", "",
      {{"FieldValueNotSupported",
        fmt::format("Unsupported value: \"{}\": supported values: \"Foreground\", "
                    "\"Background\", \"Orphan\", \"nil\"",
                    policy),
        "propagationPolicy"}}));
}

api::Result<void> check_preconditions(const ResourceType& type, const api::Object& existing,
                                      const DeleteOptions& options) {
  const api::ObjectMeta& metadata = existing.metadata;
  if (!options.uid.empty() && options.uid != metadata.uid) {
    return api::error_from(status_bodies::precondition_failed(
        type, metadata.name,
        fmt::format("the UID in the precondition ({}) does not match the UID in record ({})",
                    options.uid, metadata.uid),
        "deleted and then recreated"));
  }
  if (!options.resource_version.empty() && options.resource_version != metadata.resource_version) {
    return api::error_from(status_bodies::precondition_failed(
        type, metadata.name,
        fmt::format("the ResourceVersion in the precondition ({}) does not match the "
                    "ResourceVersion in record ({})",
                    options.resource_version, metadata.resource_version),
        "modified"));
  }
  return {};
}

}  // namespace watchlab::sim
