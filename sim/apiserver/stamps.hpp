#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/runtime/time.hpp"

namespace watchlab::sim {

/// The store's only counter: every write of any resource takes the next value. Clients see it as
/// the opaque text `resourceVersion`. 0 means "before everything" and never names a state.
using Revision = std::int64_t;

/// Decimal, without leading zeros.
[[nodiscard]] std::string revision_text(Revision revision);
/// Nothing if the text is not a revision. Accepts leading zeros, as a real server does.
[[nodiscard]] std::optional<Revision> parse_revision(std::string_view text);

// What a server puts on objects and what it would take from chance, as functions of a seed: the
// same history always gets the same stamps.

/// A number that depends on seed, purpose and index, but resembles none of them.
[[nodiscard]] std::uint64_t scrambled(std::uint64_t seed, std::uint64_t purpose,
                                      std::uint64_t index);
/// A UUID of version 4.
[[nodiscard]] std::string uid_for(std::uint64_t seed, std::uint64_t index);
/// The five characters that generateName appends.
[[nodiscard]] std::string name_suffix(std::uint64_t seed, std::uint64_t index);
/// RFC 3339 in whole seconds, with the runtime's clock read as Unix time.
[[nodiscard]] std::string timestamp(runtime::TimePoint now);

}  // namespace watchlab::sim
