#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/faults/fault_rules.hpp"

namespace watchlab::sim {

/// All faults, sorted by name: what a scenario can ask for. Adding a fault means adding a row to
/// its family (`fault_families.hpp`).
[[nodiscard]] const std::vector<FaultEntry>& fault_catalogue();

/// Whether the fault of that name does what it does, to the servers, when it is put in place.
[[nodiscard]] bool is_instant(std::string_view name);

/// A fault by its name, ready to be put in place. Throws `std::invalid_argument`, with a sentence,
/// for an unknown name and for parameters that do not fit.
[[nodiscard]] FaultRule make_fault(
    std::string_view name, Trigger trigger = {},
    const std::map<std::string, ParameterValue, std::less<>>& parameters = {});

}  // namespace watchlab::sim
