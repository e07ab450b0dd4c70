#pragma once

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// Who may include whom: core <- sim <- scenarios <- exercises, tests. Includes of our own files
/// are quoted and start at the root. Heavy headers stay in the files that are named for them.
[[nodiscard]] Complaints check_includes(const Tree& tree);

}  // namespace watchlab::tidy
