#pragma once

#include <source_location>

namespace watchlab::runtime {

/// Where an operation stands in the source. Every operation of this folder takes one as its last,
/// defaulted parameter, so that reports name the caller's line. It is for display only: it never
/// reaches a digest, a schedule or a decision.
using Location = std::source_location;

}  // namespace watchlab::runtime
