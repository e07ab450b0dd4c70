#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/status.hpp"
#include "sim/apiserver/resource_type.hpp"

namespace boost::json {
class value;
}  // namespace boost::json

/// The spec of a CustomResourceDefinition, whether a client has posted it or a story declares it.
namespace watchlab::sim {

/// The collection in each version that is served; none when the spec says too little. `stored` is
/// what the store calls it if it has objects of it already.
[[nodiscard]] std::vector<ResourceType> types_defined_by(
    const boost::json::value& spec,
    const std::optional<api::GroupVersionResource>& stored = std::nullopt);
/// The version in which objects are stored; "" for none.
[[nodiscard]] std::string storage_version_of(const boost::json::value& spec);
/// What a real server refuses of the list of versions: names that come twice, and anything but one
/// that is stored.
[[nodiscard]] std::vector<api::StatusCause> mistakes_in_versions(const boost::json::value& spec);
/// A sentence for each part that a real server would act upon and this one does not: rules in CEL,
/// by the fields that have them, and conversion webhooks. `name` is that of the definition.
[[nodiscard]] std::vector<std::string> unheeded_parts(const boost::json::value& spec,
                                                      std::string_view name);

/// Versions in the order in which clients prefer them: v2, v1, v1beta1, v1alpha1, other names.
[[nodiscard]] bool is_preferred(std::string_view version, std::string_view other);

}  // namespace watchlab::sim
