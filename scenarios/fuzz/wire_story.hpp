#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// A story of the fuzzer, on the wire: its messages are HTTP in bytes, and some of its steps put
/// one of the legal faults in place that are about bytes. The step that heals the story heals them
/// too. The seed decides which.
[[nodiscard]] Scenario over_the_wire(Scenario story, std::uint64_t seed);

/// The names of the faults that it draws.
[[nodiscard]] std::vector<std::string_view> wire_fault_names();

}  // namespace watchlab::scenarios
