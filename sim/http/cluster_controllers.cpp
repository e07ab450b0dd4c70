#include "sim/http/cluster_controllers.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <vector>

#include "sim/apiserver/managed_fields.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;
using Transaction = ServerHost::Transaction;

const api::GroupVersionResource kNamespaceResource{"", "v1", "namespaces"};
const api::GroupVersionResource kPodResource{"", "v1", "pods"};
const api::GroupVersionResource kDefinitionResource{"apiextensions.k8s.io", "v1",
                                                    "customresourcedefinitions"};
/// Keeps a namespace until its contents are gone.
constexpr std::string_view kContentsFinalizer = "watchlab/contents";
constexpr std::string_view kTerminating = "Terminating";

std::vector<api::ObjectPtr> objects_of(Transaction& host, const api::GroupVersionResource& resource,
                                       const std::string& namespace_name) {
  std::vector<api::ObjectPtr> objects;
  const ObjectStore& store = host.servers().store();
  store.visit(resource, {.namespace_ = namespace_name}, store.revision(),
              [&](const std::string&, const api::ObjectPtr& object) {
                objects.push_back(object);
                return true;
              });
  return objects;
}

std::vector<api::ObjectPtr> contents_of(Transaction& host, const std::string& namespace_name) {
  std::vector<api::ObjectPtr> contents;
  for (const api::GroupVersionResource& resource : host.servers().store().resources()) {
    const ResourceType* type = host.servers().types().find(resource);
    if (type != nullptr && type->namespaced) {
      const auto objects = objects_of(host, resource, namespace_name);
      contents.insert(contents.end(), objects.begin(), objects.end());
    }
  }
  return contents;
}

void remove_object(Transaction& host, const api::GroupVersionResource& resource,
                   const api::ObjectMeta& metadata) {
  (void)host.write({.verb = Verb::Delete,
                    .resource = resource,
                    .namespace_ = metadata.namespace_,
                    .name = metadata.name,
                    .deletion = {.grace_period_seconds = 0}});
}

void remove_contents(Transaction& host, const std::string& namespace_name) {
  for (const api::GroupVersionResource& resource : host.servers().store().resources()) {
    const ResourceType* type = host.servers().types().find(resource);
    if (type == nullptr || !type->namespaced) {
      continue;
    }
    for (const api::ObjectPtr& object : objects_of(host, resource, namespace_name)) {
      remove_object(host, resource, object->metadata);
    }
  }
}

/// Sets a member of an object's body, whatever is there.
void set_member(api::Object& object, std::string_view name, json::object value) {
  boost::system::error_code failure;
  json::value body = json::parse(object.body.empty() ? "{}" : object.body.view(), failure, {},
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

/// The namespace with or without the finalizer, and with the phase that goes with it.
void set_held(Transaction& host, const api::Object& object, bool held) {
  api::Object next = object;
  set_member(next, "status",
             {{"phase", next.metadata.deletion_timestamp.empty() ? std::string_view("Active")
                                                                 : kTerminating}});
  next.metadata.finalizers.remove(kContentsFinalizer);
  if (held) {
    next.metadata.finalizers.push_back(kContentsFinalizer);
  }
  Request update{.verb = Verb::Update, .resource = kNamespaceResource, .name = next.metadata.name};
  update.object = std::make_shared<const api::Object>(std::move(next));
  (void)host.write(std::move(update));
}

std::string text_at(const json::value& value, const char* pointer) {
  boost::system::error_code failure;
  const json::value* const found = value.find_pointer(pointer, failure);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
}

std::string phase_of(const api::Object& object) {
  boost::system::error_code failure;
  return text_at(json::parse(object.body.view(), failure, {}, {.max_depth = kJsonDepthMax}),
                 "/status/phase");
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
  const json::value body =
      json::parse(definition.body.view(), failure, {}, {.max_depth = kJsonDepthMax});
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

ClusterControllers::ClusterControllers(std::shared_ptr<ServerHost> host) : host_(std::move(host)) {
  host_->transact([](Transaction& host) {
    host.servers().types().define({.resource = kDefinitionResource,
                                   .kind = "CustomResourceDefinition",
                                   .namespaced = false,
                                   .counts_generations = true,
                                   .status_subresource = true});
    ResourceType pods = *host.servers().types().find(kPodResource);
    pods.stops_gracefully = true;
    host.servers().types().define(std::move(pods));
  });
}

void ClusterControllers::before(Request& request) {
  if (request.verb == Verb::Delete && request.resource == kNamespaceResource && !request.dry_run) {
    hold_if_it_has_contents(request.name);
  }
  if (request.verb != Verb::Create || request.object == nullptr) {
    return;
  }
  if (request.resource == kNamespaceResource) {
    set_member(request, "spec", {{"finalizers", json::array{"kubernetes"}}});
    set_member(request, "status", {{"phase", "Active"}});
  } else if (request.resource == kPodResource) {
    set_member(request, "status", {{"phase", "Pending"}});
  }
}

void ClusterControllers::after(const Request& request) {
  if (request.dry_run) {
    return;
  }
  if (request.resource == kDefinitionResource) {
    define_custom_resources();
  }
  if (!terminating_.empty()) {
    sweep();
  }
}

void ClusterControllers::hold_if_it_has_contents(const std::string& namespace_name) {
  host_->transact([&](Transaction& host) {
    const api::ObjectPtr object = host.servers().store().get(kNamespaceResource, namespace_name);
    const bool has_contents = object != nullptr && !contents_of(host, namespace_name).empty();
    if (has_contents) {
      set_held(host, *object, true);
    }
    if (has_contents || (object != nullptr && !object->metadata.finalizers.empty())) {
      terminating_.insert(namespace_name);
    }
  });
}

void ClusterControllers::sweep() {
  host_->transact([&](Transaction& host) {
    std::erase_if(terminating_, [&](const std::string& name) {
      const api::ObjectPtr object = host.servers().store().get(kNamespaceResource, name);
      if (object == nullptr || object->metadata.deletion_timestamp.empty()) {
        return object == nullptr;
      }
      remove_contents(host, name);
      if (!contents_of(host, name).empty()) {
        if (phase_of(*object) != kTerminating) {
          set_held(host, *object, true);
        }
        return false;  // finalizers hold something
      }
      set_held(host, *object, false);
      return true;
    });
  });
}

void ClusterControllers::define_custom_resources() {
  host_->transact([&](Transaction& host) {
    std::set<api::GroupVersionResource> defined;
    for (const api::ObjectPtr& definition : objects_of(host, kDefinitionResource, "")) {
      const std::optional<ResourceType> type = defined_type(*definition);
      if (type && defined.insert(type->resource).second && !custom_.contains(type->resource)) {
        host.servers().types().define(*type);
        establish(host, *definition, *type);
      }
    }
    for (const api::GroupVersionResource& resource : custom_) {
      if (!defined.contains(resource)) {
        for (const api::ObjectPtr& object : objects_of(host, resource, "")) {
          remove_object(host, resource, object->metadata);
        }
        host.servers().withdraw(resource);
      }
    }
    custom_ = std::move(defined);
  });
}

}  // namespace watchlab::sim
