#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sim/faults/fault.hpp"

/// What the faults that change bytes have in common. They act on the wire transport only.
namespace watchlab::sim {

/// Changes the bytes of each message at that stage. `how` is kept beyond the fault's own life.
[[nodiscard]] std::unique_ptr<Fault> make_byte_fault(Stage stage,
                                                     std::function<void(WireMessage&)> how);
/// `what`: which messages; `standard` if left out.
[[nodiscard]] FaultParameter what_parameter(std::string_view standard);
/// The stage that `what` names: "requests", "answers", "events" or "ends". Throws
/// `std::invalid_argument`, with a sentence, for another.
[[nodiscard]] Stage stage_in(const FaultParameters& parameters);

}  // namespace watchlab::sim
