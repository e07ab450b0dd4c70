#pragma once

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// Pages that sources and pages name in passing, as in "docs/wire.md": they must be there, and so
/// must the rules that are named behind "docs/apiserver_rules.md", as in "… L10 to L17" and "… G".
/// What stands outside of the tree is not for its readers.
[[nodiscard]] Complaints check_citations(const Tree& tree);

}  // namespace watchlab::tidy
