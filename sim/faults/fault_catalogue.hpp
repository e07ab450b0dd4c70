#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/faults/fault.hpp"
#include "sim/faults/fault_rules.hpp"

namespace watchlab::sim {

// The rows of the catalogue, grouped by topic. Each family is one source file; a new fault is a new
// row there.

/// The bytes of a message are torn, split, joined or replaced.
[[nodiscard]] std::vector<FaultEntry> byte_faults();
/// Answers, events and lists are wrong or unreadable.
[[nodiscard]] std::vector<FaultEntry> content_faults();
/// Wrong events, or events with wrong revisions: lost, repeated, too old, too new.
[[nodiscard]] std::vector<FaultEntry> event_faults();
/// Requests and watches fail.
[[nodiscard]] std::vector<FaultEntry> failure_faults();
/// HTTP heads, lengths and chunks are invalid, or valid but unusual.
[[nodiscard]] std::vector<FaultEntry> framing_faults();
/// The store or the watch caches lose history or recent writes.
[[nodiscard]] std::vector<FaultEntry> history_faults();
/// Messages arrive late or never.
[[nodiscard]] std::vector<FaultEntry> network_faults();
/// Servers restart, lag behind the store, or stop serving a collection.
[[nodiscard]] std::vector<FaultEntry> server_faults();
/// Watch streams end: cleanly, broken, in the middle of an event, or without a reason.
[[nodiscard]] std::vector<FaultEntry> watch_end_faults();

/// All faults, sorted by name: what a scenario can inject. To add a fault, add a row to its family
/// above.
[[nodiscard]] const std::vector<FaultEntry>& fault_catalogue();

/// Whether this fault acts on the servers once, at the moment when it is injected.
[[nodiscard]] bool is_instant(std::string_view name);

/// Makes the fault with this name, ready to be injected. Throws `std::invalid_argument` for an
/// unknown name and for parameters that do not fit.
[[nodiscard]] FaultRule make_fault(
    std::string_view name, Trigger trigger = {},
    const std::map<std::string, ParameterValue, std::less<>>& parameters = {});

}  // namespace watchlab::sim
