#pragma once

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// Two runtime operations that stand unsequenced in one expression: the compiler picks their order,
/// and a schedule that one compiler recorded would diverge on another.
[[nodiscard]] Complaints check_sequencing(const Tree& tree);

/// Destructors of core that wait: a stopping world runs them with an exception in flight.
[[nodiscard]] Complaints check_destructors(const Tree& tree);

}  // namespace watchlab::tidy
