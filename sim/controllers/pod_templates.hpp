#pragma once

#include "sim/controllers/controller_writes.hpp"

/// Helpers for controllers that create objects from a template.
namespace watchlab::sim {

/// How an owner names itself in the metadata of the objects that it creates.
struct OwnerKind {
  std::string_view api_version;  ///< "apps/v1"
  std::string_view kind;         ///< "ReplicaSet"
};

/// Makes the object the managing controller of another.
void add_controller(api::ObjectMeta& metadata, const OwnerKind& kind, const api::Object& owner);
/// The uid of the managing controller; "" when there is none.
[[nodiscard]] std::string controller_of(const api::ObjectMeta& metadata);
/// The labels at a pointer, if there are any.
[[nodiscard]] api::Labels labels_below(const boost::json::object& body, std::string_view pointer);
/// A pod from the owner's spec.template, with a generated name.
[[nodiscard]] api::Object pod_of_template(const OwnerKind& kind, const api::Object& owner,
                                          const boost::json::object& body);
/// Whether a selector (matchLabels and matchExpressions) selects these labels. An empty one selects
/// nothing.
[[nodiscard]] bool selects(const boost::json::object& selector, const api::Labels& labels);
/// Whether a pod has not ended and is not being deleted.
[[nodiscard]] bool is_active_pod(const api::Object& pod, const boost::json::object& body);
/// Whether a pod's condition Ready is True.
[[nodiscard]] bool is_ready_pod(const boost::json::object& body);

}  // namespace watchlab::sim
