#pragma once

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// Compares docs/architecture.dot with the sources. A folder may include another one to which its
/// arrows lead, directly or through others; arrows go in no circle; each stands for an include that
/// no other way allows. A tree without that page has no map to keep.
[[nodiscard]] Complaints check_modules(const Tree& tree);

}  // namespace watchlab::tidy
