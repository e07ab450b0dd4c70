#include "sim/controllers/controller_writes.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "sim/apiserver/managed_fields.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

/// Who the owners of fields are told wrote them.
constexpr std::string_view kControllerManager = "kube-controller-manager";
constexpr std::string_view kOwners = "ownerReferences";

bool flag_of(const json::object& object, std::string_view member) {
  const json::value* const found = object.if_contains(member);
  return found != nullptr && found->is_bool() && found->get_bool();
}

Request request_about(Verb verb, const api::GroupVersionResource& resource,
                      const api::ObjectMeta& metadata) {
  return {.verb = verb,
          .resource = resource,
          .namespace_ = metadata.namespace_,
          .name = metadata.name,
          .field_manager = std::string(kControllerManager)};
}

}  // namespace

std::vector<Owner> owners_of(const api::ObjectMeta& metadata) {
  if (metadata.other_members.find(kOwners) == std::string::npos) {
    return {};
  }
  const json::object members = object_in(metadata.other_members);
  const json::value* const listed = members.if_contains(kOwners);
  std::vector<Owner> owners;
  for (const json::value& each :
       listed != nullptr && listed->is_array() ? listed->get_array() : json::array()) {
    if (const json::object* const owner = each.if_object()) {
      owners.push_back({.api_version = text_in(*owner, "apiVersion"),
                        .kind = text_in(*owner, "kind"),
                        .name = text_in(*owner, "name"),
                        .uid = text_in(*owner, "uid"),
                        .blocks = flag_of(*owner, "blockOwnerDeletion"),
                        .controls = flag_of(*owner, "controller")});
    }
  }
  return owners;
}

void unblock_owners(api::ObjectMeta& metadata) {
  json::object members = object_in(metadata.other_members);
  json::value* const listed = members.if_contains(kOwners);
  if (listed != nullptr && listed->is_array()) {
    for (json::value& each : listed->get_array()) {
      each.as_object()["blockOwnerDeletion"] = false;
    }
    metadata.other_members = json::serialize(members);
  }
}

void drop_owners(api::ObjectMeta& metadata, const std::vector<std::string>& uids) {
  json::object members = object_in(metadata.other_members);
  json::value* const listed = members.if_contains(kOwners);
  if (listed == nullptr || !listed->is_array()) {
    return;
  }
  json::array kept;
  for (const json::value& each : listed->get_array()) {
    const std::string uid = each.is_object() ? text_in(each.get_object(), "uid") : "";
    if (std::ranges::find(uids, uid) == uids.end()) {
      kept.push_back(each);
    }
  }
  if (kept.empty()) {
    members.erase(kOwners);
  } else {
    *listed = std::move(kept);
  }
  metadata.other_members = members.empty() ? "" : json::serialize(members);
}

api::ObjectPtr object_at(ServerHost::Transaction& host, const ObjectPlace& place) {
  return host.servers().store().get(place.first, place.second);
}

std::vector<api::ObjectPtr> objects_in(ServerHost::Transaction& host,
                                       const api::GroupVersionResource& resource,
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

json::object members_of(const api::Object& object) { return object_in(object.body); }

const json::value* value_below(const json::object& body, std::string_view pointer) {
  const json::object* within = &body;
  const json::value* found = nullptr;
  while (!pointer.empty() && within != nullptr) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    found = within->if_contains(pointer.substr(0, end));
    pointer.remove_prefix(end);
    within = found == nullptr ? nullptr : found->if_object();
  }
  return pointer.empty() && found != nullptr && !found->is_null() ? found : nullptr;
}

std::string text_below(const json::object& body, std::string_view pointer) {
  const json::value* const found = value_below(body, pointer);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

std::int64_t number_below(const json::object& body, std::string_view pointer,
                          std::int64_t otherwise) {
  const json::value* const found = value_below(body, pointer);
  return found != nullptr && found->is_int64() ? found->get_int64() : otherwise;
}

bool has_labels(const api::Object& object, const json::value* wanted) {
  const json::object* const labels = wanted == nullptr ? nullptr : wanted->if_object();
  return labels != nullptr && !labels->empty() &&
         std::ranges::all_of(*labels, [&](const auto& each) {
           const auto found = object.metadata.labels.find(std::string(each.key()));
           return found != object.metadata.labels.end() && each.value().is_string() &&
                  found->second == std::string_view(each.value().get_string());
         });
}

void write_object(ServerHost::Transaction& host, const api::GroupVersionResource& resource,
                  api::Object object) {
  Request request = request_about(Verb::Update, resource, object.metadata);
  request.object = std::make_shared<const api::Object>(std::move(object));
  (void)host.write(std::move(request));
}

void write_status(ServerHost::Transaction& host, const api::GroupVersionResource& resource,
                  const api::Object& object, json::object status) {
  api::Object next = object;
  json::object body = members_of(object);
  body["status"] = std::move(status);
  next.body = json::serialize(body);
  Request request = request_about(Verb::UpdateStatus, resource, object.metadata);
  request.object = std::make_shared<const api::Object>(std::move(next));
  (void)host.write(std::move(request));
}

bool create_object(ServerHost::Transaction& host, const api::GroupVersionResource& resource,
                   api::Object object) {
  constexpr std::int32_t kFirstRefusal = 300;
  Request request = request_about(Verb::Create, resource, object.metadata);
  request.object = std::make_shared<const api::Object>(std::move(object));
  return host.servers().types().find(resource) != nullptr &&
         host.write(std::move(request)).code < kFirstRefusal;
}

std::string create_checked(ServerHost::Transaction& host, const api::GroupVersionResource& resource,
                           api::Object object) {
  Request request = request_about(Verb::Create, resource, object.metadata);
  request.object = std::make_shared<const api::Object>(std::move(object));
  request.validated = true;
  const Response response = host.write(std::move(request));
  const auto* const status = std::get_if<api::Status>(&response.answer);
  return status == nullptr ? "" : status->message;
}

void delete_object(ServerHost::Transaction& host, const api::GroupVersionResource& resource,
                   const api::ObjectMeta& metadata, std::string_view policy,
                   std::optional<std::int64_t> grace_seconds) {
  Request request = request_about(Verb::Delete, resource, metadata);
  request.deletion = {.uid = metadata.uid,
                      .propagation_policy = std::string(policy),
                      .grace_period_seconds = grace_seconds};
  (void)host.write(std::move(request));
}

}  // namespace watchlab::sim
