#pragma once

#include <string>
#include <string_view>

#include "sim/apiserver/resource_type.hpp"

namespace watchlab::sim {

/// What a name of an object of that type must be, where this one is not; "" for a good one. It
/// continues "must be". The server's requests and the stories' objects are held to it.
/// Mirrors the validation of each kind in kubernetes pkg/apis: most have subdomains, namespaces
/// labels, services labels that begin with a letter, and those of RBAC parts of a path.
[[nodiscard]] std::string broken_rule_of_name(const ResourceType& type, std::string_view name);

}  // namespace watchlab::sim
