#include "sim/apiserver/server_profile.hpp"

namespace watchlab::sim {

ServerProfile profile_of(ServerRelease release) {
  switch (release) {
    case ServerRelease::V1_30:
      return {.watch_list = false, .lists_from_cache = false, .exact_from_snapshots = false};
    case ServerRelease::V1_32:
      return {.watch_list = true, .lists_from_cache = true, .exact_from_snapshots = false};
    case ServerRelease::V1_34:
      break;
  }
  return {};
}

std::optional<ServerRelease> release_named(std::string_view name) {
  if (name == "v1.30") {
    return ServerRelease::V1_30;
  }
  if (name == "v1.32") {
    return ServerRelease::V1_32;
  }
  return name == "v1.34" ? std::optional(ServerRelease::V1_34) : std::nullopt;
}

}  // namespace watchlab::sim
