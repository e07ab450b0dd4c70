#pragma once

#include <optional>
#include <string_view>

namespace boost::json {
class object;
class value;
}  // namespace boost::json

namespace watchlab::sim {

/// Where a field that is unset stands.
struct KindPlace {
  std::string_view kind;  ///< of the object: "Job"
  std::string_view message;
  std::string_view field;
};

/// What a server adds there and works out from the fields beside it, which no table says: null when
/// it adds nothing because of them; nothing when the table knows. `object` is the message as it was
/// sent. Mirrors kubernetes pkg/apis/*/v1/defaults.go.
[[nodiscard]] std::optional<boost::json::value> computed_addition(
    const KindPlace& place, const boost::json::object& object);

}  // namespace watchlab::sim
