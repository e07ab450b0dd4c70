#include "sim/apiserver/write_path.hpp"

#include <utility>

#include "core/api/object.hpp"
#include "sim/apiserver/apply_patch.hpp"
#include "sim/apiserver/json_patch.hpp"
#include "sim/apiserver/object_filter.hpp"
#include "sim/apiserver/served_version.hpp"
#include "sim/apiserver/stamps.hpp"
#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {

namespace {

constexpr std::size_t kGeneratedBaseMax = 58;
constexpr int kNameTries = 8;

std::string key_in(const Request& request) {
  return api::key_from(request.namespace_, request.name);
}

}  // namespace

WritePath::WritePath(ObjectStore& store, WritePathOptions options)
    : store_(store), options_(options) {}

Response WritePath::handle(const Request& request, runtime::TimePoint now) {
  return handle(*types_.find(request.resource), request, now);
}

Response WritePath::rehearse(const ResourceType& type, const Request& request,
                             runtime::TimePoint now) const {
  ObjectStore copy = store_;
  // What is drawn for an answer alone is not drawn again for an object that is stored.
  WritePath stand_in(copy, {.seed = ~options_.seed,
                            .holds_namespaces = options_.holds_namespaces,
                            .store_max = options_.store_max});
  stand_in.types_ = types_;
  stand_in.complete_ = complete_;
  stand_in.check_ = check_;
  Request write = request;
  write.dry_run = false;
  if (write.verb == Verb::Create && write.object != nullptr) {
    // Only a store refuses an object that has a revision before it exists.
    api::Object fresh = *write.object;
    fresh.metadata.resource_version.clear();
    write.object = std::make_shared<const api::Object>(std::move(fresh));
  }
  Response response = stand_in.handle(type, write, now);
  if (auto* const answered = std::get_if<api::ObjectPtr>(&response.answer)) {
    // What was not stored has the revision that it had before.
    const std::string key = api::key_of((*answered)->metadata);
    const api::ObjectPtr existing = store_.get(type.stored(), key);
    auto shown = std::make_shared<api::Object>(**answered);
    shown->metadata.resource_version = existing ? existing->metadata.resource_version : "";
    *answered = std::move(shown);
  }
  return response;
}

Response WritePath::handle(const ResourceType& type, const Request& request,
                           runtime::TimePoint now) {
  if (request.dry_run) {
    return rehearse(type, request, now);
  }
  const bool is_completed = complete_ || type.schema != nullptr;
  if (is_completed && request.object != nullptr && request.verb != Verb::Patch) {
    Request whole = request;
    whole.object = completed(type, *request.object);
    return act(type, whole, now);
  }
  return act(type, request, now);
}

Response WritePath::act(const ResourceType& type, const Request& request, runtime::TimePoint now) {
  switch (request.verb) {
    case Verb::Create:
      return create(type, request, now);
    case Verb::Update:
    case Verb::UpdateStatus:
      return update(type, request, now);
    case Verb::Patch:
      return patch(type, request, now);
    case Verb::Delete:
      return remove(type, request, now);
    case Verb::DeleteCollection:
      return remove_collection(type, request, now);
    default:
      return response_of(
          api::failure(api::StatusReason::MethodNotAllowed,
                       "the server does not allow this method on the requested resource"));
  }
}

api::ObjectPtr WritePath::completed(const ResourceType& type, api::Object object) const {
  follow_schema(type, object);
  if (complete_) {
    complete_(type, object);
  }
  return std::make_shared<const api::Object>(std::move(object));
}

std::optional<api::Status> WritePath::checked(const ResourceType& type, const Request& request,
                                              const api::Object* before,
                                              const api::Object& next) const {
  if (check_ && request.validated) {
    return check_(type, before, next);
  }
  std::vector<api::StatusCause> mistakes = schema_mistakes(type, before, next);
  return mistakes.empty() ? std::nullopt
                          : std::optional(status_bodies::invalid_object(
                                type.resource, type.kind, next.metadata.name, std::move(mistakes)));
}

api::ObjectPtr WritePath::existing_at(const ResourceType& type, const std::string& key) const {
  return as_served(type, store_.get(type.stored(), key));
}

Response WritePath::create(const ResourceType& type, const Request& request,
                           runtime::TimePoint now) {
  const bool generates = request.object != nullptr && request.object->metadata.name.empty() &&
                         !request.object->metadata.generate_name.empty();
  if (generates) {
    return create_named(type, with_generated_name(type, request), now);
  }
  return create_named(type, request, now);
}

Response WritePath::create_named(const ResourceType& type, const Request& request,
                                 runtime::TimePoint now) {
  api::Result<FreshObject> object = new_object(type, request, now);
  if (!object) {
    return response_of(object.error().status);
  }
  FreshObject fresh = *std::move(object);
  if (const std::optional<api::Status> refusal = namespace_refuses(type, fresh->metadata)) {
    return response_of(*refusal);
  }
  if (const std::optional<api::Status> refusal = checked(type, request, nullptr, *fresh)) {
    return response_of(*refusal);
  }
  std::string key = api::key_of(fresh->metadata);
  if (const api::ObjectPtr existing = store_.get(type.stored(), key)) {
    const auto& refusal = existing->metadata.deletion_timestamp.empty()
                              ? status_bodies::already_exists
                              : status_bodies::still_exists;
    return response_of(refusal(type.resource, fresh->metadata.name));
  }
  if (options_.holds_namespaces) {
    hold_namespace(type, *fresh);
  }
  fresh->metadata.uid = uid_for(options_.seed, static_cast<std::uint64_t>(store_.revision() + 1));
  make_kept(type, *fresh);
  if (const std::optional<api::Status> refusal = store_refuses(*fresh)) {
    return response_of(*refusal);
  }
  return {201, store_.put(type.stored(), std::move(key), std::move(fresh), now).object};
}

Request WritePath::with_generated_name(const ResourceType& type, const Request& request) const {
  Request named = request;
  api::Object object = *request.object;
  const std::string base = object.metadata.generate_name.substr(0, kGeneratedBaseMax);
  for (int i = 0; i < kNameTries; ++i) {
    const auto number = static_cast<std::uint64_t>(store_.revision() * kNameTries + i);
    object.metadata.name = base + name_suffix(options_.seed, number);
    const std::string key = api::key_from(request.namespace_, object.metadata.name);
    if (store_.get(type.stored(), key) == nullptr) {
      break;
    }
  }
  named.object = std::make_shared<const api::Object>(std::move(object));
  return named;
}

std::optional<api::Status> WritePath::namespace_refuses(const ResourceType& type,
                                                        const api::ObjectMeta& metadata) const {
  if (!type.namespaced) {
    return std::nullopt;
  }
  static const api::GroupVersionResource kNamespaces{"", "v1", "namespaces"};
  const api::ObjectPtr home = store_.get(kNamespaces, metadata.namespace_);
  if (home == nullptr) {
    return status_bodies::not_found(kNamespaces, metadata.namespace_);
  }
  if (!home->metadata.deletion_timestamp.empty()) {
    return status_bodies::namespace_terminating(type.resource, metadata.name, metadata.namespace_);
  }
  return std::nullopt;
}

Response WritePath::update(const ResourceType& type, const Request& request,
                           runtime::TimePoint now) {
  if (request.object == nullptr) {
    return response_of(status_bodies::bad_request("an object is required"));
  }
  const std::string& name = request.object->metadata.name;
  const std::string key = api::key_from(request.namespace_, name);
  const api::ObjectPtr existing = existing_at(type, key);
  if (existing == nullptr) {
    return response_of(status_bodies::not_found(type.resource, name));
  }
  api::Result<FreshObject> result = updated_object(type, *existing, request);
  if (!result) {
    return response_of(result.error().status);
  }
  FreshObject next = *std::move(result);
  if (const std::optional<api::Status> refusal = checked(type, request, existing.get(), *next)) {
    return response_of(*refusal);
  }
  // Without such members nothing was applied, and there are no owners to keep account of.
  if (!existing->metadata.other_members.empty()) {
    *next = with_updated_owners(*existing, std::move(*next), {type, request, now});
  }
  return replace(type, std::move(next), now);
}

Response WritePath::replace(const ResourceType& type, FreshObject next, runtime::TimePoint now) {
  const api::ObjectPtr existing = store_.get(type.stored(), api::key_of(next->metadata));
  make_kept(type, *next);
  if (changes_nothing(*existing, *next) && existing->api_version == next->api_version) {
    return {200, existing};
  }
  if (!next->metadata.deletion_timestamp.empty() && next->metadata.finalizers.empty() &&
      granted_grace(next->metadata) == 0 && !is_held_namespace(type, *next)) {
    // The last finalizer is gone: what watchers see is the deletion, with the state before.
    store_.remove(type.stored(), api::key_of(existing->metadata), now);
    return {200, std::move(next)};
  }
  const bool lets_go = next->metadata.finalizers.size() < existing->metadata.finalizers.size();
  if (const std::optional<api::Status> refusal = lets_go ? std::nullopt : store_refuses(*next)) {
    return response_of(*refusal);
  }
  return {200, store_.put(type.stored(), std::move(next), now).object};
}

bool WritePath::is_nearly_full() const {
  return options_.store_max > 0 && store_.bytes() > options_.store_max / 8 * 7;
}

/// Mirrors etcd's error beyond its quota, which a real server passes on.
std::optional<api::Status> WritePath::store_refuses(const api::Object& next) const {
  const bool has_room =
      options_.store_max == 0 || store_.bytes() + size_of(next) <= options_.store_max;
  return has_room ? std::nullopt
                  : std::optional(status_bodies::nameless_failure(
                        "etcdserver: mvcc: database space exceeded"));
}

Response WritePath::apply(const ResourceType& type, const Request& request,
                          runtime::TimePoint now) {
  const api::ObjectPtr existing = existing_at(type, key_in(request));
  if (existing == nullptr && request.of_status) {
    return response_of(status_bodies::not_found(type.resource, request.name));
  }
  api::Result<api::Object> applied = applied_object(type, existing.get(), request, now);
  if (!applied) {
    return response_of(applied.error().status);
  }
  api::Object wanted = *std::move(applied);
  Request write = request;
  write.verb = existing == nullptr ? Verb::Create : Verb::Patch;
  if (existing == nullptr) {
    wanted.metadata.resource_version.clear();  // what is not there has none that could differ
  }
  write.object = completed(type, std::move(wanted));
  if (existing == nullptr) {
    const std::string& uid = write.object->metadata.uid;
    return uid.empty() ? create_named(type, write, now)
                       : response_of(status_bodies::nothing_of_uid(type, request.name, uid));
  }
  api::Result<FreshObject> next = updated_object(type, *existing, write);
  if (!next) {
    return response_of(next.error().status);
  }
  if (const std::optional<api::Status> refusal = checked(type, request, existing.get(), **next)) {
    return response_of(*refusal);
  }
  return only_times_differ(*existing, **next) ? Response{200, existing}
                                              : replace(type, *std::move(next), now);
}

Response WritePath::patch(const ResourceType& type, const Request& request,
                          runtime::TimePoint now) {
  if (const api::Result<void> fit = check_patch_options(request); !fit) {
    return response_of(fit.error().status);
  }
  if (request.patch_type == PatchType::Apply) {
    return apply(type, request, now);
  }
  if (request.patch_type == PatchType::Strategic && type.custom) {
    return response_of(status_bodies::unsupported_patch());
  }
  const api::ObjectPtr existing = existing_at(type, key_in(request));
  if (existing == nullptr) {
    return response_of(status_bodies::not_found(type.resource, request.name));
  }
  api::Result<api::Object> object = patched_object(*existing, request);
  if (!object) {
    return response_of(object.error().status);
  }
  Request update_request = request;
  update_request.object = completed(type, *std::move(object));
  return update(type, update_request, now);
}

Response WritePath::remove_collection(const ResourceType& type, const Request& request,
                                      runtime::TimePoint now) {
  const api::Result<ObjectFilter> filter =
      ObjectFilter::from(type, request.namespace_, request.options);
  if (!filter) {
    return response_of(filter.error().status);
  }
  if (const api::Result<void> known = check_policy(request.deletion); !known) {
    return response_of(known.error().status);
  }
  api::ObjectList removed{.api_version = api_version_of(type.resource),
                          .kind = type.kind + "List",
                          .resource_version = revision_text(store_.revision())};
  store_.visit(type.stored(), {.namespace_ = request.namespace_}, store_.revision(),
               [&](const std::string&, const api::ObjectPtr& object) {
                 if (filter->matches(*object)) {
                   removed.items.push_back(object);
                 }
                 return true;
               });
  for (const api::ObjectPtr& object : removed.items) {
    (void)remove_existing(type, object, request.deletion, now);
  }
  return {200, std::move(removed)};
}

Response WritePath::remove(const ResourceType& type, const Request& request,
                           runtime::TimePoint now) {
  if (const api::Result<void> known = check_policy(request.deletion); !known) {
    return response_of(known.error().status);
  }
  const api::ObjectPtr existing = store_.get(type.stored(), key_in(request));
  if (existing == nullptr) {
    return response_of(status_bodies::not_found(type.resource, request.name));
  }
  return remove_existing(type, existing, request.deletion, now);
}

Response WritePath::remove_existing(const ResourceType& type, const api::ObjectPtr& existing,
                                    const DeleteOptions& options, runtime::TimePoint now) {
  if (const api::Result<void> meant = check_preconditions(type, *existing, options); !meant) {
    return response_of(meant.error().status);
  }
  const std::int64_t grace = grace_of(type, *existing, options);
  const bool is_sooner = grace < granted_grace(existing->metadata);
  if (!existing->metadata.deletion_timestamp.empty() && !is_sooner) {
    return {200, existing};
  }
  auto marked = std::make_shared<api::Object>(marked_for_deletion(*existing, options, now, grace));
  if (is_held_namespace(type, *existing)) {
    set_namespace_phase(*marked, "Terminating");
    return {200, store_.put(type.stored(), std::move(marked), now).object};
  }
  if (grace > 0 || !marked->metadata.finalizers.empty()) {
    return {200, store_.put(type.stored(), std::move(marked), now).object};
  }
  store_.remove(type.stored(), api::key_of(existing->metadata), now);
  const api::ObjectMeta& gone = existing->metadata;
  return {200, status_bodies::deleted(type.resource, gone.name, gone.uid)};
}

}  // namespace watchlab::sim
