#pragma once

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// Code on pages: a block of code behind a line `<!-- from PATH -->` stands in that file, line by
/// line. So what a page shows is compiled.
[[nodiscard]] Complaints check_quotations(const Tree& tree);

}  // namespace watchlab::tidy
