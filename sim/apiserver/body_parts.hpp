#pragma once

#include <string>

/// The body of an object is JSON text with every member but the metadata; these functions look at
/// its status and at the rest apart. A body that is no JSON object reads as an empty one.
namespace watchlab::sim {

/// Whether both bodies say the same, members in any order.
[[nodiscard]] bool same_body(const std::string& a, const std::string& b);
/// Whether both bodies say the same once the status is left out.
[[nodiscard]] bool same_but_for_status(const std::string& a, const std::string& b);
/// `body` with its status taken from `source`: replaced, added, or removed when there is none.
[[nodiscard]] std::string with_status_of(const std::string& body, const std::string& source);

}  // namespace watchlab::sim
