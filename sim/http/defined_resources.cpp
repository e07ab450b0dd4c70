#include "sim/http/defined_resources.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <vector>

#include "sim/apiserver/managed_fields.hpp"
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

std::string text_at(const json::value& value, const char* pointer) {
  boost::system::error_code failure;
  const json::value* const found = value.find_pointer(pointer, failure);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
}

std::vector<std::string> texts_at(const json::value& value, const char* pointer) {
  boost::system::error_code failure;
  std::vector<std::string> texts;
  const json::value* const found = value.find_pointer(pointer, failure);
  if (found != nullptr && found->is_array()) {
    for (const json::value& each : found->as_array()) {
      texts.emplace_back(each.is_string() ? each.as_string() : json::string());
    }
  }
  return texts;
}

/// The version in which objects are stored; the only one that is served. Null when there is none.
const json::value* stored_version(const json::value& definition) {
  boost::system::error_code failure;
  const json::value* const versions = definition.find_pointer("/spec/versions", failure);
  if (versions == nullptr || !versions->is_array()) {
    return nullptr;
  }
  const json::array& all = versions->as_array();
  const auto* const found = std::ranges::find_if(all, [](const json::value& each) {
    boost::system::error_code none;
    const json::value* const storage = each.find_pointer("/storage", none);
    return storage != nullptr && storage->is_bool() && storage->as_bool();
  });
  return found == all.end() ? nullptr : found;
}

/// What a CustomResourceDefinition defines; nothing when it says too little.
std::optional<ResourceType> defined_type(const api::Object& definition) {
  boost::system::error_code failure;
  const json::value body = json::parse(definition.body, failure, {}, {.max_depth = kJsonDepthMax});
  const json::value* const version = failure ? nullptr : stored_version(body);
  if (version == nullptr) {
    return std::nullopt;
  }
  ResourceType type{.resource = {text_at(body, "/spec/group"), text_at(*version, "/name"),
                                 text_at(body, "/spec/names/plural")},
                    .kind = text_at(body, "/spec/names/kind"),
                    .namespaced = text_at(body, "/spec/scope") != "Cluster",
                    .counts_generations = true,
                    .custom = true};
  type.status_subresource = version->find_pointer("/subresources/status", failure) != nullptr;
  if (const json::value* const scale = version->find_pointer("/subresources/scale", failure);
      scale != nullptr && scale->is_object()) {
    type.scale = ScalePaths{.replicas = text_at(*scale, "/specReplicasPath"),
                            .status = text_at(*scale, "/statusReplicasPath"),
                            .selector = text_at(*scale, "/labelSelectorPath")};
  }
  if (const json::value* const schema = version->find_pointer("/schema/openAPIV3Schema", failure);
      schema != nullptr && schema->is_object()) {
    type.schema = std::make_shared<const json::object>(schema->get_object());
  }
  type.short_names = texts_at(body, "/spec/names/shortNames");
  type.categories = texts_at(body, "/spec/names/categories");
  const bool whole = !type.resource.group.empty() && !type.resource.version.empty() &&
                     !type.resource.resource.empty() && !type.kind.empty();
  return whole ? std::optional(std::move(type)) : std::nullopt;
}

/// Says in the definition's status that it is served.
void establish(Transaction& host, const api::Object& definition, const ResourceType& type) {
  const auto condition = [&](std::string_view name, std::string_view reason) {
    return json::object{{"type", name},
                        {"status", "True"},
                        {"lastTransitionTime", timestamp(host.now())},
                        {"reason", reason},
                        {"message", ""}};
  };
  const json::object status{
      {"conditions", json::array{condition("NamesAccepted", "NoConflicts"),
                                 condition("Established", "InitialNamesAccepted")}},
      {"acceptedNames", json::object{{"plural", type.resource.resource}, {"kind", type.kind}}},
      {"storedVersions", json::array{type.resource.version}}};
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
    host.servers().check_by(refusal_of_object);
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

void DefinedResources::define_custom_resources() {
  host_->transact([&](Transaction& host) {
    std::set<api::GroupVersionResource> defined;
    for (const api::ObjectPtr& definition : objects_in(host, kDefinitionResource, "")) {
      const std::optional<ResourceType> type = defined_type(*definition);
      if (!type || !defined.insert(type->resource).second) {
        continue;
      }
      host.servers().types().define(*type);  // again, too: its schema may be another
      if (!custom_.contains(type->resource)) {
        establish(host, *definition, *type);
      }
    }
    for (const api::GroupVersionResource& resource : custom_) {
      if (!defined.contains(resource)) {
        for (const api::ObjectPtr& object : objects_in(host, resource, "")) {
          remove_object(host, resource, object->metadata);
        }
        host.servers().withdraw(resource);
      }
    }
    custom_ = std::move(defined);
  });
}

}  // namespace watchlab::sim
