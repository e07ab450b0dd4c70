#pragma once

#include <string>
#include <string_view>

#include "sim/apiserver/resource_type.hpp"

namespace watchlab::sim {

/// Why the name is not valid for an object of that type, as a text after "must be"; "" for a valid
/// one. Checked for requests to the server and for the objects of stories. Mirrors the validation
/// of each kind in kubernetes pkg/apis: most have subdomains, namespaces labels, services labels
/// that begin with a letter, and those of RBAC parts of a path.
[[nodiscard]] std::string broken_rule_of_name(const ResourceType& type, std::string_view name);

}  // namespace watchlab::sim
