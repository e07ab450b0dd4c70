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
  /// Whether it continues until it is healed. The others are over by themselves, at once or after a
  /// number of messages.
  bool lasts = false;
};

/// Draws legal faults out of a swarm: the part of the catalogue that one story uses. Only faults
/// after which a correct client can be asked to converge.
class SwarmFaults {
 public:
  /// `servers` is how many API servers there are, `clients` names those that can be hit alone.
  SwarmFaults(sim::RandomNumbers& numbers, std::uint32_t servers, std::vector<std::string> clients);

  /// `name` is what it is healed by.
  [[nodiscard]] DrawnFault draw(std::string name);

 private:
  [[nodiscard]] DrawnFault make(const struct FaultRow& row);

  sim::RandomNumbers& numbers_;
  std::uint32_t servers_;
  std::vector<std::string> clients_;
  std::vector<const FaultRow*> swarm_;
};

/// A legal fault about bytes, which is not part of any swarm.
[[nodiscard]] sim::FaultSketch draw_wire_fault(sim::RandomNumbers& numbers);

/// The names of all faults that a swarm can draw; those of the wire are `wire_fault_names`.
[[nodiscard]] std::vector<std::string_view> swarm_fault_names();

}  // namespace watchlab::scenarios
