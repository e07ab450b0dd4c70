#pragma once

#include <cstdint>

namespace watchlab::sim {

/// How messages get from clients to servers and back.
enum class Transport : std::uint8_t {
  Direct,  ///< as values: quick, for exploring schedules
  Wire,    ///< as HTTP/1.1 over streams of bytes, which faults can cut, tear and slow anywhere
};

}  // namespace watchlab::sim
