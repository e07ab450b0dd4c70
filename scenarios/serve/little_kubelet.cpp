#include "scenarios/serve/little_kubelet.hpp"

#include <boost/json.hpp>
#include <optional>
#include <utility>

#include "sim/apiserver/stamps.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

const api::GroupVersionResource kPods{"", "v1", "pods"};
const api::GroupVersionResource kDeployments{"apps", "v1", "deployments"};

json::value body_of(const api::Object& object) {
  boost::system::error_code failure;
  json::value body = json::parse(object.body.empty() ? "{}" : object.body.view(), failure);
  return failure || !body.is_object() ? json::value(json::object()) : body;
}

const json::value* at(const json::value& body, const char* pointer) {
  boost::system::error_code failure;
  return body.find_pointer(pointer, failure);
}

std::int64_t number_at(const json::value& body, const char* pointer, std::int64_t otherwise) {
  const json::value* const found = at(body, pointer);
  return found != nullptr && found->is_int64() ? found->as_int64() : otherwise;
}

json::object condition(std::string_view type, std::string_view reason, const std::string& now) {
  json::object made{{"type", type}, {"status", "True"}, {"lastTransitionTime", now}};
  if (!reason.empty()) {
    made["reason"] = reason;
    made["lastUpdateTime"] = now;
  }
  return made;
}

/// Whether the pod runs on a node and has been asked to end.
bool is_stopping(const api::GroupVersionResource& resource, const api::Object& object) {
  return resource == kPods && !object.metadata.deletion_timestamp.empty();
}

/// The status of a pod that runs; nothing for one that has left Pending.
std::optional<json::object> pod_status(const json::value& body, const std::string& now) {
  const json::value* const phase = at(body, "/status/phase");
  if (phase != nullptr && *phase != "Pending") {
    return std::nullopt;
  }
  json::array containers;
  if (const json::value* const specified = at(body, "/spec/containers");
      specified != nullptr && specified->is_array()) {
    for (const json::value& each : specified->as_array()) {
      const json::value* const name = at(each, "/name");
      const json::value* const image = at(each, "/image");
      containers.push_back(
          {{"name", name != nullptr ? *name : json::value("container")},
           {"image", image != nullptr ? *image : json::value("")},
           {"ready", true},
           {"started", true},
           {"restartCount", 0},
           {"state", json::object{{"running", json::object{{"startedAt", now}}}}}});
    }
  }
  return json::object{
      {"phase", "Running"},
      {"startTime", now},
      {"conditions",
       json::array{condition("PodScheduled", "", now), condition("Initialized", "", now),
                   condition("ContainersReady", "", now), condition("Ready", "", now)}},
      {"containerStatuses", std::move(containers)}};
}

/// The status of a deployment that has come as far as it asks; nothing when it says so already.
std::optional<json::object> deployment_status(const api::Object& object, const json::value& body,
                                              const std::string& now) {
  if (number_at(body, "/status/observedGeneration", -1) == object.metadata.generation) {
    return std::nullopt;
  }
  const std::int64_t replicas = number_at(body, "/spec/replicas", 1);
  return json::object{
      {"observedGeneration", object.metadata.generation},
      {"replicas", replicas},
      {"updatedReplicas", replicas},
      {"readyReplicas", replicas},
      {"availableReplicas", replicas},
      {"conditions", json::array{condition("Available", "MinimumReplicasAvailable", now),
                                 condition("Progressing", "NewReplicaSetAvailable", now)}}};
}

std::optional<json::object> status_of(const api::GroupVersionResource& resource,
                                      const api::Object& object, const json::value& body,
                                      const std::string& now) {
  return resource == kPods ? pod_status(body, now) : deployment_status(object, body, now);
}

api::ObjectPtr with_body(const api::Object& object, const json::value& body) {
  api::Object next = object;
  next.body = json::serialize(body);
  next.metadata.resource_version.clear();
  return std::make_shared<const api::Object>(std::move(next));
}

/// What a scheduler does: from then on the pod's end takes a grace period.
void put_on_node(sim::ServerHost::Transaction& host, const api::Object& pod, sim::Request write,
                 json::value& body) {
  json::value& spec = body.as_object()["spec"];
  if (!spec.is_object()) {
    spec.emplace_object();
  }
  spec.as_object()["nodeName"] = "watchlab";
  write.verb = sim::Verb::Update;
  write.object = with_body(pod, body);
  (void)host.write(std::move(write));
}

}  // namespace

void LittleKubelet::use(sim::ServerHost& host, Later later) {
  host_ = &host;
  host.look([&](sim::ControlPlane&) {
    later_ = std::move(later);
    for (const auto& [resource, key] : std::exchange(early_, {})) {
      complete_later(resource, key);
    }
  });
}

void LittleKubelet::complete_later(const api::GroupVersionResource& resource,
                                   const std::string& key) {
  later_(after_, [this, resource, key] { complete(resource, key); });
}

void LittleKubelet::wrote(const sim::Change& change) {
  const bool is_mine = *change.resource == kPods || *change.resource == kDeployments;
  if (!is_mine || change.type == watch::EventType::Deleted ||
      !(is_stopping(*change.resource, *change.object) ||
        status_of(*change.resource, *change.object, body_of(*change.object), ""))) {
    return;
  }
  if (later_) {
    complete_later(*change.resource, change.key);
  } else {
    early_.emplace_back(*change.resource, change.key);
  }
}

void LittleKubelet::complete(const api::GroupVersionResource& resource, const std::string& key) {
  host_->transact([&](sim::ServerHost::Transaction& host) {
    const api::ObjectPtr object = host.servers().store().get(resource, key);
    if (object == nullptr) {
      return;
    }
    sim::Request write{.resource = resource,
                       .namespace_ = object->metadata.namespace_,
                       .name = object->metadata.name};
    if (!object->metadata.deletion_timestamp.empty()) {
      write.verb = sim::Verb::Delete;
      write.deletion = {.uid = object->metadata.uid, .grace_period_seconds = 0};
      (void)host.write(std::move(write));
      return;
    }
    json::value body = body_of(*object);
    std::optional<json::object> status =
        status_of(resource, *object, body, sim::timestamp(host.now()));
    if (!status) {
      return;
    }
    if (resource == kPods && at(body, "/spec/nodeName") == nullptr) {
      put_on_node(host, *object, write, body);
    }
    body.as_object()["status"] = *std::move(status);
    write.verb = sim::Verb::UpdateStatus;
    write.object = with_body(*object, body);
    (void)host.write(std::move(write));
  });
}

}  // namespace watchlab::scenarios
