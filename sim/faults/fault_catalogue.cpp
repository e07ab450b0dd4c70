#include "sim/faults/fault_catalogue.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace watchlab::sim {

namespace {

std::vector<FaultEntry> all_families() {
  std::vector<FaultEntry> entries;
  for (const auto family :
       {byte_faults, content_faults, event_faults, failure_faults, framing_faults, history_faults,
        network_faults, server_faults, watch_end_faults}) {
    std::ranges::move(family(), std::back_inserter(entries));
  }
  std::ranges::sort(entries, {}, &FaultEntry::name);
  return entries;
}

/// The fault of that name, or nothing.
const FaultEntry* find_fault(std::string_view name) {
  const std::vector<FaultEntry>& catalogue = fault_catalogue();
  const auto found = std::ranges::find(catalogue, name, &FaultEntry::name);
  return found == catalogue.end() ? nullptr : &*found;
}

}  // namespace

const std::vector<FaultEntry>& fault_catalogue() {
  static const std::vector<FaultEntry> catalogue = all_families();
  return catalogue;
}

bool is_instant(std::string_view name) {
  const FaultEntry* const entry = find_fault(name);
  return entry != nullptr && entry->scope == FaultScope::Servers;
}

FaultRule make_fault(std::string_view name, Trigger trigger,
                     const std::map<std::string, ParameterValue, std::less<>>& parameters) {
  const FaultEntry* const entry = find_fault(name);
  if (entry == nullptr) {
    throw std::invalid_argument("there is no fault named \"" + std::string(name) + "\"");
  }
  return {std::string(name), std::move(trigger),
          entry->make(FaultParameters(entry->parameters, parameters))};
}

}  // namespace watchlab::sim
