#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/faults/fault.hpp"
#include "sim/faults/fault_rules.hpp"

namespace watchlab::sim {

// The rows of the catalogue, by what they are about. Each family is one source; a new fault is a
// further row there.

/// The bytes of any message are torn, split, joined or replaced.
[[nodiscard]] std::vector<FaultEntry> byte_faults();
/// Answers, events and lists say something wrong, or nothing that can be read.
[[nodiscard]] std::vector<FaultEntry> content_faults();
/// The wrong events come, or with the wrong revisions: lost, repeated, too old, too new.
[[nodiscard]] std::vector<FaultEntry> event_faults();
/// Requests and watches get a failure as their answer.
[[nodiscard]] std::vector<FaultEntry> failure_faults();
/// Heads, lengths and chunks of HTTP break its rules, or are unusual within them.
[[nodiscard]] std::vector<FaultEntry> framing_faults();
/// The store or the watch caches lose history, or what is newest.
[[nodiscard]] std::vector<FaultEntry> history_faults();
/// What travels comes late or never.
[[nodiscard]] std::vector<FaultEntry> network_faults();
/// Servers restart, fall behind the store, or stop serving a collection.
[[nodiscard]] std::vector<FaultEntry> server_faults();
/// The streams of watches end: in order, broken, within an event, or without saying why.
[[nodiscard]] std::vector<FaultEntry> watch_end_faults();

/// All faults, sorted by name: what a scenario can ask for. Adding a fault means adding a row to
/// its family, which is declared above.
[[nodiscard]] const std::vector<FaultEntry>& fault_catalogue();

/// Whether the fault of that name does what it does, to the servers, when it is put in place.
[[nodiscard]] bool is_instant(std::string_view name);

/// A fault by its name, ready to be put in place. Throws `std::invalid_argument`, with a message,
/// for an unknown name and for parameters that do not fit.
[[nodiscard]] FaultRule make_fault(
    std::string_view name, Trigger trigger = {},
    const std::map<std::string, ParameterValue, std::less<>>& parameters = {});

}  // namespace watchlab::sim
