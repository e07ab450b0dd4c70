#pragma once

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// Tokens that may not stand in the code, each with what to write instead: what the simulation
/// cannot see or decide, what differs between standard libraries, and what readers stumble over.
[[nodiscard]] Complaints check_banned_tokens(const Tree& tree);

/// Loops over unordered containers in core and sim: their order is that of a hash.
[[nodiscard]] Complaints check_unordered_loops(const Tree& tree);

/// Unfinished work, and places of one machine, in any text of the tree.
[[nodiscard]] Complaints check_texts(const Tree& tree);

}  // namespace watchlab::tidy
