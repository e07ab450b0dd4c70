#pragma once

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// Pages: one title each, links that lead somewhere, and no page under docs without a link to it.
[[nodiscard]] Complaints check_pages(const Tree& tree);

}  // namespace watchlab::tidy
