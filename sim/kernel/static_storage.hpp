#pragma once

#include <cstdint>

namespace watchlab::sim {

/// Names an object of static storage by its place in the program or library that defines it: the
/// same in every process of one build, whoever constructs the object, and whenever. 0 for objects
/// that lie elsewhere. Libraries that are loaded after the first call, and systems that cannot list
/// what is loaded, have no objects of static storage as far as this can say.
[[nodiscard]] std::uint64_t place_in_program(const void* object);

}  // namespace watchlab::sim
