#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/time.hpp"
#include "sim/controllers/cluster_controller.hpp"

/// The controllers that a world has, one row each.
namespace watchlab::sim {

struct ControllerSettings {
  /// How long after it was created a pod or a Deployment is ready, and how long after it was asked
  /// to a pod ends.
  runtime::Duration pods_after = std::chrono::seconds(1);
};

/// Objects that a controller makes.
struct MadeObjects {
  std::string_view kind;  ///< "Pod"
  /// Their name, or if `of` is none, what stands behind a name of that kind: "-watchlab". A '*' at
  /// its end stands for anything.
  std::string_view name;
  std::string_view of = {};  ///< "Job", of which they are made; "" for none

  /// Whether such an object may have that name, if `owner` is the name of what it is made of.
  [[nodiscard]] bool may_be_called(std::string_view called, std::string_view owner) const;
};

struct ControllerEntry {
  std::string_view name;  ///< "garbage"
  std::string_view doc;   ///< what it does, a clause
  std::unique_ptr<ClusterController> (*make)(const ControllerSettings& settings);
  std::vector<MadeObjects> makes = {};
};

/// In the order in which they act.
[[nodiscard]] const std::vector<ControllerEntry>& controller_catalogue();
/// The names of all.
[[nodiscard]] std::vector<std::string> controller_names();
/// The word for a namespace controller in options of servers, which must know of it too.
inline constexpr std::string_view kNamespaceController = "namespaces";

/// With the first one, which creates the pods of ReplicaSets, Deployments get ReplicaSets.
inline constexpr std::string_view kReplicaController = "replicas";
inline constexpr std::string_view kDeploymentController = "deployments";

// The rows; one file each, or one for a few small ones.
[[nodiscard]] std::unique_ptr<ClusterController> make_system_controller(
    const ControllerSettings& settings);
[[nodiscard]] std::unique_ptr<ClusterController> make_garbage_controller(
    const ControllerSettings& settings);
[[nodiscard]] std::unique_ptr<ClusterController> make_namespace_controller(
    const ControllerSettings& settings);
[[nodiscard]] std::unique_ptr<ClusterController> make_pod_controller(
    const ControllerSettings& settings);
[[nodiscard]] std::unique_ptr<ClusterController> make_deployment_controller(
    const ControllerSettings& settings);
[[nodiscard]] std::unique_ptr<ClusterController> make_replica_controller(
    const ControllerSettings& settings);
[[nodiscard]] std::unique_ptr<ClusterController> make_rollout_controller(
    const ControllerSettings& settings);
[[nodiscard]] std::unique_ptr<ClusterController> make_job_controller(
    const ControllerSettings& settings);
[[nodiscard]] std::unique_ptr<ClusterController> make_slice_controller(
    const ControllerSettings& settings);
[[nodiscard]] std::unique_ptr<ClusterController> make_volume_controller(
    const ControllerSettings& settings);
[[nodiscard]] std::unique_ptr<ClusterController> make_quota_controller(
    const ControllerSettings& settings);

}  // namespace watchlab::sim
