#pragma once

#include <cstdint>

#include "scenarios/language/document.hpp"

namespace watchlab::scenarios {

/// A hash of everything in a scenario file that decides how a run goes: name, server, clients,
/// script and ending. Comments, layout, the story's text, expectations and the exploration do not
/// count, so that a stored schedule survives a better wording. The order of keys does not count.
[[nodiscard]] std::uint64_t fingerprint_of(const Node& root);

}  // namespace watchlab::scenarios
