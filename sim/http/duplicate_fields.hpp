#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace watchlab::sim {

/// The paths of members that a JSON text has twice, as "spec.list[2].name", each once; of many only
/// the first. None for a text that is no JSON.
[[nodiscard]] std::vector<std::string> duplicate_fields(std::string_view text);

}  // namespace watchlab::sim
