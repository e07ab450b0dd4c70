#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace watchlab::sim {

/// Which values a load of an atomic of `watchlab/std` may return. docs/library.md says more.
enum class Memory : std::uint8_t {
  SequentiallyConsistent,  ///< the newest one, whatever the memory order
  ReleaseAcquire,          ///< each one that C++20 allows without load buffering: RC11
};

/// "sc" or "ra".
[[nodiscard]] std::string_view to_string(Memory memory);
/// The other way round. Throws `std::invalid_argument` for any other name.
[[nodiscard]] Memory memory_named(std::string_view name);

[[nodiscard]] constexpr bool acquires(std::memory_order order) {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}
[[nodiscard]] constexpr bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

/// What has come of beginning an access of an atomic.
enum class CellAccess : std::uint8_t {
  Outside,  ///< the world is stopping, and wants to know no more
  Newest,   ///< the newest value counts
  Weak,     ///< the memory of the world is weak
};

/// What a compare_exchange may do.
struct ExchangeOrders {
  std::memory_order success;
  std::memory_order failure;
  bool weak;  ///< it may fail without a cause
};

}  // namespace watchlab::sim
