#pragma once

#include <cstdint>

namespace watchlab::sim {

/// Names an object in static storage by its place in the program or library that defines it: the
/// same in every process of one build, whoever constructs the object, and whenever. 0 for objects
/// elsewhere, for libraries that are loaded after the first call, and on systems that cannot list
/// what is loaded.
[[nodiscard]] std::uint64_t place_in_program(const void* object);

}  // namespace watchlab::sim
