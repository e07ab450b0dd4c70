#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace watchlab::sim {

/// Which release of Kubernetes a server behaves like.
enum class ServerRelease : std::uint8_t { V1_30, V1_32, V1_34 };

/// The switches between releases that clients can observe (docs/apiserver_rules.md V).
struct ServerProfile {
  bool watch_list = true;            ///< accepts sendInitialEvents; 422 otherwise
  bool lists_from_cache = true;      ///< "most recent" and paged NotOlderThan lists use the cache
  bool exact_from_snapshots = true;  ///< exact lists need no store; changes no answer here

  bool operator==(const ServerProfile&) const = default;
};

[[nodiscard]] ServerProfile profile_of(ServerRelease release);
/// "v1.30", "v1.32", "v1.34"; nothing for other names.
[[nodiscard]] std::optional<ServerRelease> release_named(std::string_view name);

}  // namespace watchlab::sim
