#include "sim/controllers/controller_catalogue.hpp"

namespace watchlab::sim {

const std::vector<ControllerEntry>& controller_catalogue() {
  static const std::vector<ControllerEntry> kEntries{
      {"system",
       "the namespaces kube-system, kube-public and kube-node-lease, the Service kubernetes, and a "
       "ServiceAccount default in each namespace",
       make_system_controller,
       {{"Namespace", "kube-node-lease"},
        {"Namespace", "kube-public"},
        {"Namespace", "kube-system"},
        {"Service", "kubernetes"},
        {"ServiceAccount", "default"}}},
      {kNamespaceController, "a deleted namespace takes its contents with it",
       make_namespace_controller},
      {"garbage",
       "an object goes when its last owner has gone, in the background or the foreground, or is "
       "orphaned",
       make_garbage_controller},
      {"pods",
       "a pod gets a node, runs and is ready, may come to its own end, and ends when deleted",
       make_pod_controller},
      {kDeploymentController,
       "a Deployment gets as many ready replicas as it asks for, without pods",
       make_deployment_controller},
      {kReplicaController,
       "a ReplicaSet or a ReplicationController gets as many pods as it asks for; with "
       "'deployments', a Deployment gets ReplicaSets",
       make_replica_controller,
       {{"Pod", "-*", "ReplicaSet"},
        {"Pod", "-*", "ReplicationController"},
        {"ReplicaSet", "-*", "Deployment"}}},
      {"jobs",
       "a Job has its pods run, and completes or fails with them",
       make_job_controller,
       {{"Pod", "-*", "Job"}}},
      {"slices",
       "a Service has an EndpointSlice with the addresses of its ready pods",
       make_slice_controller,
       {{"EndpointSlice", "-watchlab", "Service"}}},
      {"quotas", "a ResourceQuota's status says what its namespace uses", make_quota_controller},
      {"volumes",
       "a PersistentVolumeClaim is bound to a volume of its own",
       make_volume_controller,
       {{"PersistentVolume", "pvc-*"}}},
  };
  return kEntries;
}

bool MadeObjects::may_be_called(std::string_view called, std::string_view owner) const {
  if (!called.starts_with(owner)) {
    return false;
  }
  called.remove_prefix(owner.size());
  return name.ends_with('*') ? called.starts_with(name.substr(0, name.size() - 1)) : called == name;
}

std::vector<std::string> controller_names() {
  std::vector<std::string> names;
  for (const ControllerEntry& entry : controller_catalogue()) {
    names.emplace_back(entry.name);
  }
  return names;
}

}  // namespace watchlab::sim
