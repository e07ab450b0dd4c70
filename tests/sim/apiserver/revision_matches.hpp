#pragma once

#include "core/api/options.hpp"

/// Short names for the tables: what `resourceVersionMatch` says.
namespace watchlab::sim {

inline constexpr auto kUnset = api::ResourceVersionMatch::Unset;
inline constexpr auto kExact = api::ResourceVersionMatch::Exact;
inline constexpr auto kNotOlderThan = api::ResourceVersionMatch::NotOlderThan;

}  // namespace watchlab::sim
