#include "sim/faults/fault_catalogue.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/faults/close_watch.hpp"
#include "sim/faults/cut_watch.hpp"
#include "sim/faults/delay.hpp"
#include "sim/faults/evict_watch_window.hpp"
#include "sim/faults/fail_list.hpp"
#include "sim/faults/fail_watch.hpp"
#include "sim/faults/refuse_connections.hpp"

namespace watchlab::sim {

std::vector<FaultEntry> fault_catalogue() {
  return {
      close_watch(), cut_watch(),          delay(), evict_watch_window(), fail_list(),
      fail_watch(),  refuse_connections(),
  };
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
