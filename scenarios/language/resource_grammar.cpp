#include <fmt/format.h>

#include <boost/json.hpp>
#include <string>
#include <utility>

#include "scenarios/language/grammar.hpp"
#include "scenarios/language/parse.hpp"
#include "scenarios/language/table.hpp"
#include "sim/apiserver/resource_definition.hpp"
#include "sim/apiserver/structural_schema.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;
using sim::ScalePaths;
using sim::StoryResourceOptions;

Codec<std::string> path_grammar() {
  return checked<std::string>(
      text("a path"), [](const std::string& found, Place place, ParseContext& context) {
        if (!found.starts_with('.')) {
          context.problems.add({place, fmt::format("'{}' is not a path", found),
                                "a '.' before each name, as in .spec.replicas", "." + found});
        }
      });
}

Codec<ScalePaths> scale_grammar() {
  Table<ScalePaths> table("a scale", "Where a scale subresource finds its replicas.");
  table.required("specReplicasPath", &ScalePaths::replicas, path_grammar(), "How many are wanted.")
      .example("specReplicasPath: .spec.replicas")
      .required("statusReplicasPath", &ScalePaths::status, path_grammar(), "How many there are.")
      .example("statusReplicasPath: .status.replicas")
      .optional("labelSelectorPath", &ScalePaths::selector, path_grammar(),
                "The selector of its pods, a text.");
  return table.codec();
}

void check_resource(const StoryResourceOptions& resource, const Node& node, ParseContext& context) {
  if (const Node* const schema = node.find("schema");
      schema != nullptr && schema->find("openAPIV3Schema") != nullptr) {
    context.problems.add({schema->place_of({"openAPIV3Schema"}), "'openAPIV3Schema' in a schema",
                          "'schema:' with what stands below it", ""});
  }
  const json::value schema = json::parse(resource.schema.empty() ? "{}" : resource.schema);
  for (const api::StatusCause& each : sim::pattern_mistakes_in(schema.as_object(), "schema")) {
    context.problems.add(
        {node.place_of({"schema"}),
         fmt::format("a pattern that a server refuses: {}: {}", each.field, each.message),
         "a regular expression of Go", ""});
  }
  if (resource.versions.empty()) {
    return;
  }
  for (const char* const key : {"version", "status", "schema", "scale"}) {
    if (node.find(key) != nullptr) {
      context.problems.add({node.place_of({key}), fmt::format("'{}' beside 'versions'", key),
                            "it in the entries of 'versions', as in a CustomResourceDefinition",
                            ""});
    }
  }
  const json::value spec = json::parse(definition_of(resource));
  for (const api::StatusCause& each : sim::mistakes_in_versions(spec)) {
    context.problems.add({node.place_of({"versions"}),
                          fmt::format("versions that a server refuses: {}", each.message),
                          "a list as in a CustomResourceDefinition: '- {name: v1, served: true, "
                          "storage: true}'",
                          ""});
  }
}

}  // namespace

Codec<StoryResourceOptions> resource_grammar() {
  Table<StoryResourceOptions> table("a resource", "A custom resource that the server serves.");
  table
      .required("kind", &StoryResourceOptions::kind, new_name("kind"),
                "The kind of its objects: Widget.")
      .required("plural", &StoryResourceOptions::plural, text("a plural name"),
                "The name that requests use: widgets.")
      .optional("group", &StoryResourceOptions::group, text("a group"),
                "Its API group; default example.com.")
      .optional("version", &StoryResourceOptions::version, text("a version"),
                "Its version; default v1.")
      .optional("namespaced", &StoryResourceOptions::namespaced, boolean(),
                "Whether its objects live in namespaces; default true.")
      .optional("status", &StoryResourceOptions::status, boolean(),
                "Whether it has a status subresource: an update leaves the status alone, and a "
                "patch with status: true leaves all else alone; default true.")
      .optional("schema", &StoryResourceOptions::schema, json_text("a schema", Node::Kind::Mapping),
                "What its objects must be like: the openAPIV3Schema of a CustomResourceDefinition. "
                "Unknown fields are dropped, defaults added, mistakes refused; rules in CEL are "
                "not evaluated. Default: anything.")
      .optional("scale", &StoryResourceOptions::scale, scale_grammar(),
                "Its scale subresource; default: none.")
      .optional("versions", &StoryResourceOptions::versions,
                json_text("a list of versions", Node::Kind::Sequence),
                "Several versions, instead of version, status, schema and scale: the list "
                "spec.versions of a CustomResourceDefinition. Clients of the simulation use the "
                "version that is stored.")
      .finally(check_resource);
  return table.codec();
}

std::vector<std::string> remarks_on(const Scenario& scenario) {
  std::vector<std::string> remarks;
  for (const StoryResourceOptions& each : scenario.server.resources) {
    for (std::string& part : sim::unheeded_parts(json::parse(definition_of(each)), each.kind)) {
      remarks.push_back(std::move(part));
    }
  }
  return remarks;
}

}  // namespace watchlab::scenarios
