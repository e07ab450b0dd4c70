#pragma once

#include <memory>

#include "sim/faults/fault.hpp"

/// What the faults that end streams have in common.
namespace watchlab::sim {

/// `new_streams`, `after` and `after_events`: which streams end, and when.
[[nodiscard]] std::vector<FaultParameter> end_watch_parameters();
/// Ends streams cleanly or not, as the parameters say.
[[nodiscard]] std::unique_ptr<Fault> make_end_watch(const FaultParameters& parameters, bool clean);

}  // namespace watchlab::sim
