#pragma once

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// Patches, those of mutants and those of mends: what each hunk takes for given stands in the file
/// that it changes. A mend also says what it mends, names the test that shows what it mends, and is
/// named by docs/known_live.md. The list of mutants that the fuzzer looks for names mutants that
/// are there, each with a clause.
[[nodiscard]] Complaints check_patches(const Tree& tree);

}  // namespace watchlab::tidy
