#pragma once

#include "core/runtime/runtime.hpp"

namespace watchlab::benchmarks {

/// Three producers and three consumers of 27 items over a buffer of three: one lock, two
/// conditions. The program that Shuttle and threads of the operating system are compared with.
void bounded_buffer(runtime::Runtime& runtime);

}  // namespace watchlab::benchmarks
