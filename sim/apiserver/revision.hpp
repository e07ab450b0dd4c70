#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace watchlab::sim {

/// The one counter of the whole store: every write of any resource takes the next value. Clients
/// see it as the opaque text `resourceVersion`. 0 stands for "before everything" and never names a
/// state.
using Revision = std::int64_t;

/// Decimal, without leading zeros.
[[nodiscard]] std::string revision_text(Revision revision);
/// Nothing when the text is no revision. Leading zeros are accepted, as on a real server.
[[nodiscard]] std::optional<Revision> parse_revision(std::string_view text);

}  // namespace watchlab::sim
