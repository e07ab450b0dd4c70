#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace watchlab::sim {

/// Which values a load from an atomic of `watchlab/std` may return. See docs/library.md.
enum class Memory : std::uint8_t {
  SequentiallyConsistent,  ///< the newest value, whatever the memory order
  ReleaseAcquire,          ///< every value that C++20 allows without load buffering: RC11
};

/// "sc" or "ra".
[[nodiscard]] std::string_view to_string(Memory memory);
/// The inverse. Throws `std::invalid_argument` for any other name.
[[nodiscard]] Memory memory_named(std::string_view name);

[[nodiscard]] constexpr bool acquires(std::memory_order order) {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}
[[nodiscard]] constexpr bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

/// How an access to an atomic starts.
enum class CellAccess : std::uint8_t {
  Outside,  ///< the world is stopping, and the access no longer matters
  Newest,   ///< the access uses the newest value
  Weak,     ///< the world's memory is weak
};

/// What a compare_exchange may do.
struct ExchangeOrders {
  std::memory_order success;
  std::memory_order failure;
  bool weak;  ///< it may fail spuriously
};

}  // namespace watchlab::sim
