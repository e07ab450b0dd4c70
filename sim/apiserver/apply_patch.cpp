#include "sim/apiserver/apply_patch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "core/api/json.hpp"
#include "sim/apiserver/applied_fields.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/stamps.hpp"
#include "sim/apiserver/status_bodies.hpp"
#include "sim/apiserver/write_rules.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

constexpr std::size_t kManagerNameMax = 128;
constexpr const char* kBeforeFirstApply = "before-first-apply";

api::Error refused(std::string message) {
  return api::error_from(status_bodies::bad_request(std::move(message)));
}

json::object metadata_in(const json::object& configuration) {
  const json::value* metadata = configuration.if_contains("metadata");
  return metadata != nullptr && metadata->is_object() ? metadata->get_object() : json::object();
}

/// Whether the configuration is one of an object of that type and name.
api::Result<void> check_identity(const ResourceType& type, const json::object& configuration,
                                 const Request& request, bool creates) {
  const std::string version = text_in(configuration, "apiVersion");
  const std::string expected = api_version_of(type.resource);
  if (version != expected) {
    return refused(fmt::format(
        "Incorrect version specified in apply patch. Specified patch version: {}, expected: {}",
        version, expected));
  }
  if (const std::string kind = text_in(configuration, "kind"); kind != type.kind) {
    return refused(
        fmt::format("the kind of the object ({}) does not match the kind of the "
                    "collection ({})",
                    kind, type.kind));
  }
  const json::object metadata = metadata_in(configuration);
  if (const json::value* managed = metadata.if_contains("managedFields");
      managed != nullptr && !managed->is_null()) {
    return refused("metadata.managedFields must be nil");
  }
  const std::string name = text_in(metadata, "name");
  if (name.empty() && creates) {
    return refused(fmt::format(
        "the name of the object ({} based on URL) was undeterminable: name must be provided",
        request.name));
  }
  if (!name.empty() && name != request.name) {
    return refused(fmt::format(
        "the name of the object ({}) does not match the name on the URL ({})", name, request.name));
  }
  const std::string space = text_in(metadata, "namespace");
  if (type.namespaced && !space.empty() && space != request.namespace_) {
    return refused(fmt::format(
        "the namespace of the object ({}) does not match the namespace on the request ({})", space,
        request.namespace_));
  }
  return {};
}

/// Takes out what an apply through the status subresource does not write. What it must say to be
/// applied at all stays: of which object and of which state it speaks.
void keep_status_only(json::object& configuration) {
  json::object kept;
  for (const char* const member : {"apiVersion", "kind", "status"}) {
    if (const json::value* const value = configuration.if_contains(member)) {
      kept[member] = *value;
    }
  }
  json::object metadata;
  const json::object said = metadata_in(configuration);
  for (const char* const member : {"name", "namespace", "resourceVersion", "uid"}) {
    if (const json::value* const value = said.if_contains(member)) {
      metadata[member] = *value;
    }
  }
  kept["metadata"] = std::move(metadata);
  configuration = std::move(kept);
}

/// What a manager has sent.
struct Configuration {
  std::string sent;     ///< as it came, as text
  std::string applied;  ///< what of it the request can write
};

api::Result<Configuration> configuration_from(const ResourceType& type, const Request& request,
                                              bool creates) {
  boost::system::error_code error;
  json::value value = json::parse(request.patch, error, {}, {.max_depth = kJsonDepthMax});
  if (error || !value.is_object()) {
    return refused("error decoding YAML: the configuration is no JSON object");
  }
  json::object& configuration = value.get_object();
  const api::Result<void> fits = check_identity(type, configuration, request, creates);
  if (!fits) {
    return fits.error();
  }
  std::string sent = json::serialize(value);
  if (request.of_status) {
    keep_status_only(configuration);
  } else if (type.status_subresource) {
    configuration.erase("status");
  }
  std::string applied = json::serialize(value);
  if (const api::Result<void> distinct = check_keys(applied); !distinct) {
    return distinct.error();
  }
  return Configuration{std::move(sent), std::move(applied)};
}

/// The object without its managedFields, as text.
std::string bare_text(const api::Object& object) {
  api::Object bare = object;
  set_managed_entries(bare.metadata, {});
  return api::to_json(bare);
}

ManagedEntries entries_before_apply(const ResourceType& type, const api::Object* existing,
                                    const std::string& live) {
  if (existing == nullptr) {
    return {};
  }
  ManagedEntries entries = managed_entries_of(existing->metadata);
  if (entries.empty()) {
    entries.push_back({.manager = kBeforeFirstApply,
                       .api_version = api_version_of(type.resource),
                       .time = existing->metadata.creation_timestamp,
                       .fields = fields_in(live, type.custom)});
  }
  return entries;
}

/// Takes the entry of that writer out of the others; an empty one when it owns nothing.
ManagedEntry taken_out(ManagedEntries& entries, ManagedEntry writer) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&writer](const auto& each) { return each.same_writer(writer); });
  if (found != entries.end()) {
    writer = *found;
    entries.erase(found);
  }
  return writer;
}

void take_from(ManagedEntries& entries, const FieldChanges& changes) {
  for (ManagedEntry& each : entries) {
    each.fields.subtract(changes.changed);
    each.fields.subtract(changes.begun);
    each.fields.subtract(changes.removed);
  }
}

/// What others own of the changed fields.
ManagedEntries conflicts_in(const ManagedEntries& others, const FieldChanges& changes) {
  FieldSet changed = changes.changed;
  changed.add(changes.begun);
  ManagedEntries conflicts;
  for (const ManagedEntry& each : others) {
    ManagedEntry conflict = each;
    conflict.fields = each.fields.shared_with(changed);
    if (!conflict.fields.empty()) {
      conflicts.push_back(std::move(conflict));
    }
  }
  return conflicts;
}

api::Status conflict_status(ManagedEntries conflicts) {
  std::sort(conflicts.begin(), conflicts.end(),
            [](const auto& a, const auto& b) { return writer_text(a) < writer_text(b); });
  std::vector<api::StatusCause> causes;
  std::string message;
  for (const ManagedEntry& each : conflicts) {
    const std::string writer = writer_text(each);
    message += fmt::format("{}conflicts with {}:", message.empty() ? "" : "\n", writer);
    for (const FieldPath& path : each.fields.paths()) {
      message += fmt::format("\n- {}", path_text(path));
      causes.push_back({"FieldManagerConflict", "conflict with " + writer, path_text(path)});
    }
  }
  message =
      causes.size() == 1
          ? fmt::format("Apply failed with 1 conflict: {}: {}", causes[0].message, causes[0].field)
          : fmt::format("Apply failed with {} conflicts: {}", causes.size(), message);
  return status_bodies::apply_conflict(std::move(message), std::move(causes));
}

FieldSet owned_by(const ManagedEntries& entries) {
  FieldSet owned;
  for (const ManagedEntry& each : entries) {
    owned.add(each.fields);
  }
  return owned;
}

}  // namespace

api::Result<void> check_patch_options(const Request& request) {
  const auto invalid = [](api::StatusCause cause) {
    return api::error_from(status_bodies::invalid_patch_options(std::move(cause)));
  };
  if (request.patch_type != PatchType::Apply && request.force) {
    return invalid(
        {"FieldValueForbidden", "Forbidden: may not be specified for non-apply patch", "force"});
  }
  if (request.patch_type == PatchType::Apply && request.field_manager.empty()) {
    return invalid(
        {"FieldValueRequired", "Required value: is required for apply patch", "fieldManager"});
  }
  if (request.field_manager.size() > kManagerNameMax) {
    return invalid({"FieldValueTooLong",
                    fmt::format("Too long: may not be more than {} bytes", kManagerNameMax),
                    "fieldManager"});
  }
  return {};
}

api::Result<api::Object> applied_object(const ResourceType& type, const api::Object* existing,
                                        const Request& request, runtime::TimePoint now) {
  const api::Result<Configuration> configuration =
      configuration_from(type, request, existing == nullptr);
  if (!configuration) {
    return configuration.error();
  }
  const std::string live = existing == nullptr ? "{}" : bare_text(*existing);
  for (const std::string& each : {live, configuration->applied}) {
    if (const api::Result<void> fits = check_paths(each); !fits) {
      return fits.error();
    }
  }
  ManagedEntries others = entries_before_apply(type, existing, live);
  ManagedEntry writer = taken_out(others, {.manager = request.field_manager,
                                           .applies = true,
                                           .subresource = request.of_status ? "status" : ""});
  const ManagedEntry before = writer;
  writer.api_version = api_version_of(type.resource);
  writer.fields = fields_in(configuration->applied, type.custom);

  FieldSet kept = owned_by(others);
  kept.add(writer.fields);
  FieldSet gone = before.fields;
  gone.subtract(kept);
  const std::string next =
      without_fields(with_configuration(live, configuration->applied), gone, kept, type.custom);
  const FieldChanges changes = field_changes(live, next, type.custom);
  ManagedEntries conflicts = conflicts_in(others, changes);
  if (!request.force && !conflicts.empty()) {
    return api::error_from(conflict_status(std::move(conflicts)));
  }
  take_from(others, changes);
  // What it asks for counts, also where it cannot write that: another spec beside its status.
  if (!changes.none() || writer != before ||
      object_in(with_configuration(live, configuration->sent)) != object_in(live)) {
    writer.time = timestamp(now);
  }
  others.push_back(std::move(writer));
  api::Result<api::Object> read = api::object_from_json(without_nulls(next, type.custom));
  if (!read) {
    return refused(read.error().message);
  }
  api::Object object = *std::move(read);
  set_managed_entries(object.metadata, std::move(others));
  return object;
}

bool only_times_differ(const api::Object& existing, const api::Object& applied) {
  if (!same_body(existing.body, applied.body)) {
    return false;  // the usual case, and to read the owners takes long
  }
  const ManagedEntries before = managed_entries_of(existing.metadata);
  ManagedEntries after = managed_entries_of(applied.metadata);
  if (before.size() != after.size()) {
    return false;
  }
  for (std::size_t i = 0; i < after.size(); ++i) {
    after[i].time = before[i].time;
  }
  api::Object as_before = applied;
  set_managed_entries(as_before.metadata, before);
  return after == before && changes_nothing(existing, as_before);
}

api::Object with_updated_owners(const api::Object& existing, api::Object next,
                                const UpdateContext& update) {
  ManagedEntries entries = managed_entries_of(existing.metadata);
  if (entries.empty()) {
    return next;
  }
  if (forgets_managers(next.metadata)) {
    set_managed_entries(next.metadata, {});
    return next;
  }
  const FieldChanges changes =
      field_changes(bare_text(existing), bare_text(next), update.type.custom);
  if (!changes.none()) {
    const std::string& name =
        update.request.field_manager.empty() ? update.request.client : update.request.field_manager;
    ManagedEntry writer =
        taken_out(entries, {.manager = name.empty() ? "unknown" : name,
                            .api_version = existing.api_version,
                            .subresource = writes_status(update.request) ? "status" : ""});
    take_from(entries, changes);
    writer.fields.subtract(changes.removed);
    writer.fields.add(changes.changed);
    writer.time = timestamp(update.now);
    entries.push_back(std::move(writer));
  }
  set_managed_entries(next.metadata, std::move(entries));
  return next;
}

}  // namespace watchlab::sim
