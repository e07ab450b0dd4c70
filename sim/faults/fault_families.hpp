#pragma once

#include <vector>

#include "sim/faults/fault.hpp"

/// The rows of the catalogue, by what they are about. Each family is one source; a new fault is a
/// further row there.
namespace watchlab::sim {

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

}  // namespace watchlab::sim
