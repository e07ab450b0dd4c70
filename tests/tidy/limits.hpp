#pragma once

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// Sizes that a reader can take in: lines of a file, columns of a line, lines, parameters and
/// levels of a function. Also that headers guard themselves.
[[nodiscard]] Complaints check_limits(const Tree& tree);

}  // namespace watchlab::tidy
