#pragma once

#include <memory>

#include "sim/faults/fault.hpp"

/// What the faults that answer requests with failures have in common.
namespace watchlab::sim {

/// `answer` and `retry_after`: with which failure.
[[nodiscard]] std::vector<FaultParameter> fail_request_parameters();
/// The failure that the parameters describe.
[[nodiscard]] api::Error failure_from(const FaultParameters& parameters);

}  // namespace watchlab::sim
