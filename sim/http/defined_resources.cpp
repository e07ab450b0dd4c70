#include "sim/http/defined_resources.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <utility>

#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/resource_definition.hpp"
#include "sim/apiserver/resource_quotas.hpp"
#include "sim/controllers/controller_writes.hpp"
#include "sim/http/kind_rules.hpp"
#include "sim/http/object_checks.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;
using Transaction = ServerHost::Transaction;

const api::GroupVersionResource kPodResource{"", "v1", "pods"};
const api::GroupVersionResource kDefinitionResource{"apiextensions.k8s.io", "v1",
                                                    "customresourcedefinitions"};

json::object part_in(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains(name);
  return found != nullptr && found->is_object() ? found->get_object() : json::object();
}

void remove_object(Transaction& host, const api::GroupVersionResource& resource,
                   const api::ObjectMeta& metadata) {
  (void)host.write({.verb = Verb::Delete,
                    .resource = resource,
                    .namespace_ = metadata.namespace_,
                    .name = metadata.name,
                    .deletion = {.grace_period_seconds = 0}});
}

/// Sets a member of an object's body, whatever is there.
void set_member(api::Object& object, std::string_view name, json::object value) {
  boost::system::error_code failure;
  json::value body = json::parse(object.body.empty() ? "{}" : object.body, failure, {},
                                 {.max_depth = kJsonDepthMax});
  if (!failure && body.is_object()) {
    body.as_object()[name] = std::move(value);
    object.body = json::serialize(body);
  }
}

/// The same for what the client has sent.
void set_member(Request& request, std::string_view name, json::object value) {
  api::Object object = *request.object;
  set_member(object, name, std::move(value));
  request.object = std::make_shared<const api::Object>(std::move(object));
}

/// Says in the definition's status that it is served, and in which versions there may be objects.
void establish(Transaction& host, const api::Object& definition, const std::string& version,
               bool is_new) {
  const json::object body = object_in(definition.body);
  json::object status = is_new ? json::object() : part_in(body, "status");
  json::value& stored = status["storedVersions"];
  json::array& versions = stored.is_array() ? stored.get_array() : stored.emplace_array();
  if (std::ranges::find(versions, json::value(version)) != versions.end()) {
    return;
  }
  versions.emplace_back(version);
  const auto condition = [&](std::string_view name, std::string_view reason) {
    return json::object{{"type", name},
                        {"status", "True"},
                        {"lastTransitionTime", timestamp(host.now())},
                        {"reason", reason},
                        {"message", ""}};
  };
  if (is_new) {
    status["conditions"] = json::array{condition("NamesAccepted", "NoConflicts"),
                                       condition("Established", "InitialNamesAccepted")};
  }
  status["acceptedNames"] = part_in(part_in(body, "spec"), "names");
  api::Object next = definition;
  next.body = json::serialize(json::object{{"status", status}});
  next.metadata.resource_version.clear();
  Request update{.verb = Verb::UpdateStatus, .resource = kDefinitionResource};
  update.name = next.metadata.name;
  update.object = std::make_shared<const api::Object>(std::move(next));
  (void)host.write(std::move(update));
}

}  // namespace

DefinedResources::DefinedResources(std::shared_ptr<ServerHost> host) : host_(std::move(host)) {
  host_->transact([](Transaction& host) {
    std::vector<ResourceType> types = built_in_collections();
    std::ranges::find(types, kPodResource, &ResourceType::resource)->stops_gracefully = true;
    host.servers().types().define(std::move(types));
    host.servers().complete_by(complete_object);
    host.servers().check_by([&store = host.servers().store()](const ResourceType& type,
                                                              const api::Object* before,
                                                              const api::Object& next) {
      const std::optional<api::Status> refusal = refusal_of_object(type, before, next);
      return refusal ? refusal : refusal_of_quota(store, type, before, next);
    });
  });
}

void DefinedResources::before(Request& request) {
  if (request.verb == Verb::Create && request.object != nullptr &&
      request.resource == kPodResource) {
    set_member(request, "status", {{"phase", "Pending"}});
  }
}

void DefinedResources::after(const Request& request) {
  if (request.dry_run) {
    return;
  }
  if (request.resource == kDefinitionResource) {
    define_custom_resources();
  }
}

std::vector<std::string> DefinedResources::remarks_on(const Request& request) {
  if (request.resource != kDefinitionResource || request.object == nullptr) {
    return {};
  }
  return unheeded_parts(part_in(object_in(request.object->body), "spec"),
                        request.object->metadata.name);
}

void DefinedResources::define_custom_resources() {
  host_->transact([&](Transaction& host) {
    std::map<std::string, Defined> defined;
    for (const api::ObjectPtr& definition : objects_in(host, kDefinitionResource, "")) {
      const std::string& name = definition->metadata.name;
      const json::value spec = part_in(object_in(definition->body), "spec");
      const auto known = custom_.find(name);
      const bool is_new = known == custom_.end() || known->second.served.empty();
      std::vector<ResourceType> types =
          types_defined_by(spec, is_new ? std::nullopt : std::optional(known->second.stored));
      Defined& now = defined[name];
      for (const ResourceType& type : types) {
        now.stored = type.stored();
        now.served.insert(type.resource);
      }
      if (!types.empty()) {
        host.servers().types().define(std::move(types));  // again, too: its schema may be another
        establish(host, *definition, storage_version_of(spec), is_new);
      }
    }
    for (const auto& [name, before] : custom_) {
      const auto found = defined.find(name);
      withdraw(host, before, found == defined.end() ? nullptr : &found->second);
    }
    custom_ = std::move(defined);
  });
}

/// The objects go with the definition. `now` is null when that is gone.
void DefinedResources::withdraw(Transaction& host, const Defined& before, const Defined* now) {
  if (now == nullptr && !before.served.empty()) {
    for (const api::ObjectPtr& object : objects_in(host, before.stored, "")) {
      remove_object(host, *before.served.begin(), object->metadata);
    }
  }
  for (const api::GroupVersionResource& resource : before.served) {
    if (now == nullptr || !now->served.contains(resource)) {
      host.servers().withdraw(resource);
    }
  }
}

}  // namespace watchlab::sim
