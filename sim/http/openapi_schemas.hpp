#pragma once

#include <string>
#include <string_view>

#include "sim/apiserver/resource_type.hpp"

namespace boost::json {
class object;
}  // namespace boost::json

/// The schemas of a server's OpenAPI documents that no table of kinds has.
namespace watchlab::sim {

/// What a custom resource's schema is called: "com.example.v1.CronTab".
[[nodiscard]] std::string custom_schema_name(const ResourceType& type);
/// The schema that the definition of a custom resource gives, with the members of every object;
/// `metadata_name` names the schema of their metadata.
[[nodiscard]] boost::json::object custom_schema(const ResourceType& type,
                                                const std::string& metadata_name);
/// Whether a schema lets members stay that it does not know, in all of an object.
[[nodiscard]] bool preserves_unknown(const boost::json::object& schema);
/// Says of members of every object's metadata what they are.
void describe_metadata(boost::json::object& schema);
/// A schema of OpenAPI 3 in the words of OpenAPI 2, which has fewer. Mirrors
/// apiextensions-apiserver pkg/controller/openapi/v2, ToStructuralOpenAPIV2.
void to_openapi_two(boost::json::object& schema);

}  // namespace watchlab::sim
