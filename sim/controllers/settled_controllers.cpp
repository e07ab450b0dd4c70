// Controllers that say of an object at once that it has come as far as it asks for.
#include <fmt/format.h>

#include <boost/json.hpp>
#include <cstdint>
#include <set>

#include "sim/controllers/controller_catalogue.hpp"
#include "sim/controllers/keyed_controller.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

const api::GroupVersionResource kDeployments{"apps", "v1", "deployments"};
const api::GroupVersionResource kClaims{"", "v1", "persistentvolumeclaims"};
const api::GroupVersionResource kVolumes{"", "v1", "persistentvolumes"};
const api::GroupVersionResource kSlices{"discovery.k8s.io", "v1", "endpointslices"};
const api::GroupVersionResource kSlicedServices{"", "v1", "services"};
const api::GroupVersionResource kSlicedPods{"", "v1", "pods"};

class DeploymentController final : public KeyedController {
 public:
  using KeyedController::KeyedController;

 protected:
  void concerns(const Change& change, std::set<ObjectPlace>& concerned) override {
    if (*change.resource == kDeployments && change.type != watch::EventType::Deleted) {
      concerned.emplace(kDeployments, change.key);
    }
  }

  void settle(ServerHost::Transaction& host, const api::GroupVersionResource&,
              const api::Object& object) override {
    const json::object body = members_of(object);
    if (number_below(body, "/status/observedGeneration", -1) == object.metadata.generation) {
      return;
    }
    const std::string now = timestamp(host.now());
    const std::int64_t replicas = number_below(body, "/spec/replicas", 1);
    json::object available = condition_of("Available", "MinimumReplicasAvailable", now);
    json::object progressing = condition_of("Progressing", "NewReplicaSetAvailable", now);
    available["lastUpdateTime"] = progressing["lastUpdateTime"] = now;
    write_status(host, kDeployments, object,
                 {{"observedGeneration", object.metadata.generation},
                  {"replicas", replicas},
                  {"updatedReplicas", replicas},
                  {"readyReplicas", replicas},
                  {"availableReplicas", replicas},
                  {"conditions", json::array{std::move(available), std::move(progressing)}}});
  }
};

class VolumeController final : public KeyedController {
 protected:
  void concerns(const Change& change, std::set<ObjectPlace>& concerned) override {
    if (*change.resource == kClaims && change.type != watch::EventType::Deleted) {
      concerned.emplace(kClaims, change.key);
    }
  }

  void settle(ServerHost::Transaction& host, const api::GroupVersionResource&,
              const api::Object& claim) override {
    json::object body = members_of(claim);
    if (text_below(body, "/status/phase") == "Bound") {
      return;
    }
    const json::value* const asked = value_below(body, "/spec/resources/requests");
    const json::value capacity = asked != nullptr ? *asked : json::value(json::object());
    const json::value* const modes = value_below(body, "/spec/accessModes");
    const json::value access = modes != nullptr ? *modes : json::value(json::array());
    std::string volume = text_below(body, "/spec/volumeName");
    if (volume.empty()) {
      volume = "pvc-" + claim.metadata.uid;
      api::Object made{.metadata = {.name = volume}};
      made.body = json::serialize(
          json::object{{"spec",
                        {{"capacity", capacity},
                         {"accessModes", access},
                         {"persistentVolumeReclaimPolicy", "Delete"},
                         {"storageClassName", text_below(body, "/spec/storageClassName")},
                         {"hostPath", {{"path", "/watchlab/" + volume}, {"type", ""}}},
                         {"claimRef",
                          {{"apiVersion", "v1"},
                           {"kind", "PersistentVolumeClaim"},
                           {"namespace", claim.metadata.namespace_},
                           {"name", claim.metadata.name},
                           {"uid", claim.metadata.uid}}}}},
                       {"status", {{"phase", "Bound"}}}});
      create_object(host, kVolumes, std::move(made));
      json::value& spec = body["spec"];
      (spec.is_object() ? spec.get_object() : spec.emplace_object())["volumeName"] = volume;
      api::Object bound = claim;
      bound.body = json::serialize(body);
      write_object(host, kClaims, std::move(bound));
    }
    if (const api::ObjectPtr bound = object_at(host, {kClaims, api::key_of(claim.metadata)})) {
      write_status(host, kClaims, *bound,
                   {{"phase", "Bound"}, {"accessModes", access}, {"capacity", capacity}});
    }
  }
};

/// Keeps one slice a Service. Mirrors kubernetes pkg/controller/endpointslice, in what it says.
class SliceController final : public KeyedController {
 public:
  SliceController() : KeyedController({}, 10) {}  // each looks at all pods

 protected:
  void concerns(const Change& change, std::set<ObjectPlace>& concerned) override {
    if (*change.resource == kSlicedServices && change.type != watch::EventType::Deleted) {
      services_.insert(change.key);
      concerned.emplace(kSlicedServices, change.key);
    } else if (*change.resource == kSlicedServices) {
      services_.erase(change.key);
    } else if (*change.resource == kSlicedPods) {
      const std::string first = change.object->metadata.namespace_ + "/";
      for (auto each = services_.lower_bound(first);
           each != services_.end() && each->starts_with(first); ++each) {
        concerned.emplace(kSlicedServices, *each);
      }
    }
  }

  void settle(ServerHost::Transaction& host, const api::GroupVersionResource&,
              const api::Object& service) override {
    const json::object body = members_of(service);
    const json::value* const selector = value_below(body, "/spec/selector");
    if (selector == nullptr || host.servers().types().find(kSlices) == nullptr) {
      return;
    }
    json::array endpoints;
    for (const api::ObjectPtr& pod : objects_in(host, kSlicedPods, service.metadata.namespace_)) {
      const json::object of_pod = members_of(*pod);
      if (has_labels(*pod, selector) && !text_below(of_pod, "/status/podIP").empty() &&
          text_below(of_pod, "/status/phase") == "Running") {
        endpoints.push_back(endpoint_of(*pod, of_pod));
      }
    }
    write_slice(
        host, service,
        {{"addressType", "IPv4"}, {"endpoints", std::move(endpoints)}, {"ports", ports_of(body)}});
  }

 private:
  static json::object endpoint_of(const api::Object& pod, const json::object& body) {
    const bool is_ending = !pod.metadata.deletion_timestamp.empty();
    return {{"addresses", json::array{text_below(body, "/status/podIP")}},
            {"conditions", {{"ready", !is_ending}, {"serving", true}, {"terminating", is_ending}}},
            {"targetRef",
             {{"kind", "Pod"},
              {"namespace", pod.metadata.namespace_},
              {"name", pod.metadata.name},
              {"uid", pod.metadata.uid}}},
            {"nodeName", text_below(body, "/spec/nodeName")}};
  }

  /// Ports by a name are those of the Service: nobody looks into containers.
  static json::array ports_of(const json::object& service) {
    const json::value* const listed = value_below(service, "/spec/ports");
    json::array ports;
    for (const json::value& each :
         listed != nullptr && listed->is_array() ? listed->get_array() : json::array()) {
      const json::object port = each.is_object() ? each.get_object() : json::object();
      const std::string protocol = text_below(port, "/protocol");
      ports.push_back(
          {{"name", text_below(port, "/name")},
           {"protocol", protocol.empty() ? "TCP" : protocol},
           {"port", number_below(port, "/targetPort", number_below(port, "/port", 0))}});
    }
    return ports;
  }

  static void write_slice(ServerHost::Transaction& host, const api::Object& service,
                          const json::object& body) {
    const api::ObjectMeta& owner = service.metadata;
    api::Object slice{
        .metadata = {.name = owner.name + "-watchlab", .namespace_ = owner.namespace_}};
    const api::ObjectPtr before = object_at(host, {kSlices, api::key_of(slice.metadata)});
    if (before != nullptr && before->metadata.deletion_timestamp.empty()) {
      json::object next = members_of(*before);
      for (const auto& [member, value] : body) {
        next[member] = value;
      }
      if (next != members_of(*before)) {
        slice = *before;
        slice.body = json::serialize(next);
        write_object(host, kSlices, std::move(slice));
      }
      return;
    }
    slice.metadata.labels = {{"kubernetes.io/service-name", owner.name},
                             {"endpointslice.kubernetes.io/managed-by", "watchlab"}};
    slice.metadata.other_members = json::serialize(
        json::object{{"ownerReferences", json::array{{{"apiVersion", "v1"},
                                                      {"kind", "Service"},
                                                      {"name", owner.name},
                                                      {"uid", owner.uid},
                                                      {"controller", true},
                                                      {"blockOwnerDeletion", true}}}}});
    slice.body = json::serialize(body);
    create_object(host, kSlices, std::move(slice));
  }

  std::set<std::string> services_;
};

}  // namespace

std::unique_ptr<ClusterController> make_deployment_controller(const ControllerSettings& settings) {
  return std::make_unique<DeploymentController>(settings.pods_after);
}

std::unique_ptr<ClusterController> make_volume_controller(const ControllerSettings&) {
  return std::make_unique<VolumeController>();
}

std::unique_ptr<ClusterController> make_slice_controller(const ControllerSettings&) {
  return std::make_unique<SliceController>();
}

}  // namespace watchlab::sim
