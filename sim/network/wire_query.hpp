#pragma once

#include "core/api/options.hpp"
#include "core/api/result.hpp"
#include "sim/network/url.hpp"

namespace watchlab::sim {

/// What a client asks for as the query of its URL: in the order of the names, what is unset left
/// out, as client-go encodes it.
[[nodiscard]] Query query_from(const api::ListOptions& options);
/// The reverse. Booleans may be written in all ways that Go reads. Fails with the Status that a
/// server answers: 400 for a number that is none, 422 for a match that does not exist.
[[nodiscard]] api::Result<api::ListOptions> options_from(const Query& query);
/// Whether the query has that flag and it is true; fails with a 400.
[[nodiscard]] api::Result<bool> flag_in(const Query& query, std::string_view name);

}  // namespace watchlab::sim
