#pragma once

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// Every test that docs/port_map.md, docs/original_tests.md, docs/known_live.md and the mends name,
/// as `suite` or `suite/case`, exists.
[[nodiscard]] Complaints check_pinned(const Tree& tree);

}  // namespace watchlab::tidy
