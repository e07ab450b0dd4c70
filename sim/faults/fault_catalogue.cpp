#include "sim/faults/fault_catalogue.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "sim/faults/fault_families.hpp"

namespace watchlab::sim {

std::vector<FaultEntry> fault_catalogue() {
  std::vector<FaultEntry> entries;
  for (const auto family :
       {byte_faults, content_faults, event_faults, failure_faults, framing_faults, history_faults,
        network_faults, server_faults, watch_end_faults}) {
    std::ranges::move(family(), std::back_inserter(entries));
  }
  std::ranges::sort(entries, {}, &FaultEntry::name);
  return entries;
}

bool is_instant(std::string_view name) {
  const std::vector<FaultEntry> entries = fault_catalogue();
  return std::any_of(entries.begin(), entries.end(), [&](const FaultEntry& entry) {
    return entry.name == name && entry.scope == FaultScope::Servers;
  });
}

FaultRule make_fault(std::string_view name, Trigger trigger,
                     const std::map<std::string, ParameterValue, std::less<>>& parameters) {
  const std::vector<FaultEntry> entries = fault_catalogue();
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [name](const FaultEntry& each) { return each.name == name; });
  if (found == entries.end()) {
    throw std::invalid_argument("there is no fault named \"" + std::string(name) + "\"");
  }
  return {std::string(name), std::move(trigger),
          found->make(FaultParameters(found->parameters, parameters))};
}

}  // namespace watchlab::sim
