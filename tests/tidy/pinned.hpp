#pragma once

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// Every test that docs/port_map.md and docs/known_live.md name, as `suite` or `suite/case`,
/// exists.
[[nodiscard]] Complaints check_pinned(const Tree& tree);

}  // namespace watchlab::tidy
