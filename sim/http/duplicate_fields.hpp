#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace watchlab::sim {

/// The paths of duplicate members in a JSON text, such as "spec.list[2].name", each once and only
/// the first of many. None for a text that is not JSON.
[[nodiscard]] std::vector<std::string> duplicate_fields(std::string_view text);

}  // namespace watchlab::sim
