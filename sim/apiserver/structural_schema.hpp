#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/status.hpp"

namespace boost::json {
class object;
}  // namespace boost::json

/// What the schema of a custom resource asks of its objects. Mirrors apiextensions-apiserver
/// pkg/apiserver/schema: pruning, defaulting and validation. Rules in CEL are not evaluated.
namespace watchlab::sim {

/// Takes away what the schema does not know, but not the members that every object has. Returns the
/// paths of what is gone: "spec.foo"; of many only the first.
std::vector<std::string> prune(boost::json::object& object, const boost::json::object& schema);
/// Adds the defaults of what is missing; no more of them when the object has become longer than one
/// may be that is stored.
void add_defaults(boost::json::object& object, const boost::json::object& schema);
/// What is wrong with the object, as a real server says it; empty when nothing is. `status` only
/// looks at that. An object that is too much work to check is wrong.
[[nodiscard]] std::vector<api::StatusCause> mistakes_in(const boost::json::object& object,
                                                        const boost::json::object& schema,
                                                        bool status);
/// The patterns of a schema that are no regular expressions of Go, as a real server says it, which
/// refuses the definition then. `path` is where the schema stands.
[[nodiscard]] std::vector<api::StatusCause> pattern_mistakes_in(const boost::json::object& schema,
                                                                std::string_view path);

}  // namespace watchlab::sim
