#pragma once

#include <string>
#include <string_view>

#include "sim/apiserver/resource_type.hpp"

namespace boost::json {
class object;
}  // namespace boost::json

/// The schemas in a server's OpenAPI documents that are not in the table of kinds.
namespace watchlab::sim {

/// The name of a custom resource's schema: "com.example.v1.CronTab".
[[nodiscard]] std::string custom_schema_name(const ResourceType& type);
/// The schema from the definition of a custom resource, with the members that every object has;
/// `metadata_name` names the schema of their metadata.
[[nodiscard]] boost::json::object custom_schema(const ResourceType& type,
                                                const std::string& metadata_name);
/// Whether a schema preserves unknown members everywhere in an object.
[[nodiscard]] bool preserves_unknown(const boost::json::object& schema);
/// Adds descriptions to the members of metadata.
void describe_metadata(boost::json::object& schema);
/// Converts a schema from OpenAPI 3 to OpenAPI 2, which has fewer features. Mirrors
/// apiextensions-apiserver pkg/controller/openapi/v2, ToStructuralOpenAPIV2.
void to_openapi_two(boost::json::object& schema);

}  // namespace watchlab::sim
