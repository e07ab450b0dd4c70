#pragma once

#include <cstdint>
#include <string>

#include "core/runtime/time.hpp"

/// What a server puts on objects and what it would take from chance, as functions of a seed: the
/// same history always gets the same stamps.
namespace watchlab::sim {

/// A number that depends on all of seed, purpose and index, and looks like none of them.
[[nodiscard]] std::uint64_t scrambled(std::uint64_t seed, std::uint64_t purpose,
                                      std::uint64_t index);
/// A UUID of version 4.
[[nodiscard]] std::string uid_for(std::uint64_t seed, std::uint64_t index);
/// The five characters that generateName appends.
[[nodiscard]] std::string name_suffix(std::uint64_t seed, std::uint64_t index);
/// RFC 3339 in whole seconds, with the runtime's clock read as Unix time.
[[nodiscard]] std::string timestamp(runtime::TimePoint now);

}  // namespace watchlab::sim
