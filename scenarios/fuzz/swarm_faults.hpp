#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/explore/random_numbers.hpp"
#include "sim/story/options.hpp"

namespace watchlab::scenarios {

/// A legal fault with random details.
struct DrawnFault {
  sim::FaultSketch sketch;
  /// Whether it lasts until it is healed. Others end by themselves, at once or after a number of
  /// messages.
  bool lasts = false;
};

/// Draws legal faults from a swarm: the part of the catalogue that one story uses. Only faults
/// after which a correct client must converge.
class SwarmFaults {
 public:
  /// `servers` is the number of API servers; `clients` names those that can be hit separately.
  SwarmFaults(sim::RandomNumbers& numbers, std::uint32_t servers, std::vector<std::string> clients);

  /// `name` is the name for healing it.
  [[nodiscard]] DrawnFault draw(std::string name);

 private:
  [[nodiscard]] DrawnFault make(const struct FaultRow& row);

  sim::RandomNumbers& numbers_;
  std::uint32_t servers_;
  std::vector<std::string> clients_;
  std::vector<const FaultRow*> swarm_;
};

/// A legal byte fault, which is not part of any swarm.
[[nodiscard]] sim::FaultSketch draw_wire_fault(sim::RandomNumbers& numbers);

/// The names of all faults that a swarm can draw; those of the wire are `wire_fault_names`.
[[nodiscard]] std::vector<std::string_view> swarm_fault_names();

}  // namespace watchlab::scenarios
