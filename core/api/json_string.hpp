#pragma once

#include <string>
#include <string_view>

#include "core/api/result.hpp"

namespace watchlab::api {

/// Appends `text` as a JSON string, with quotes and escapes. For core and sim only.
void append_json_string(std::string& out, std::string_view text);

/// The text of a JSON string; `what` names it in the failure when the value is no string. A null
/// reads as "", as it does in Go. For core only.
[[nodiscard]] Result<std::string> json_string_value(std::string_view value, std::string_view what);

/// The failure of a member that is not what it should be.
[[nodiscard]] Error json_mismatch(std::string_view what, std::string_view expected);

}  // namespace watchlab::api
