#pragma once

#include <cstdint>
#include <string_view>

namespace watchlab::sim {

/// Which values a load of an atomic of `watchlab/std` may return. docs/std.md says more.
enum class Memory : std::uint8_t {
  SequentiallyConsistent,  ///< the newest one, whatever the memory order
  ReleaseAcquire,          ///< each one that C++20 allows without load buffering: RC11
};

/// "sc" or "ra".
[[nodiscard]] std::string_view to_string(Memory memory);
/// The other way round. Throws `std::invalid_argument` for any other name.
[[nodiscard]] Memory memory_named(std::string_view name);

}  // namespace watchlab::sim
