#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <variant>

#include "core/api/object.hpp"
#include "core/api/result.hpp"
#include "core/runtime/stop_token.hpp"

namespace watchlab::client {

/// A server's answer to a write: the object, or a Status instead.
using Answer = std::variant<api::ObjectPtr, api::Status>;

/// How `wait_for_operation` polls.
struct OperationPolling {
  /// Asks the server for the state of the operation with this id.
  std::function<api::Result<Answer>(const std::string& operation)> ask;
  /// The pause before each poll; zero for no polling.
  runtime::Duration period = std::chrono::seconds(2);
};

/// The result of a write. Returns a final answer unchanged. After a Working status it polls the
/// operation until the answer is something else. That state was made in 2014 for servers that
/// needed longer for a write and did not want to keep the connection; today's servers never send
/// it.
///
/// Errors: a Failure, with its Status; an error of a poll; `Cancelled` at the stop; with its
/// Status, a Working status that names no operation or that may not be polled, because the caller
/// then does not know how the write ends. Mirrors Kubernetes 0.4 pkg/client/request.go, Request.Do
/// and PollPeriod.
[[nodiscard]] api::Result<Answer> wait_for_operation(runtime::Runtime& runtime,
                                                     const runtime::StopToken& stop,
                                                     const Answer& first,
                                                     const OperationPolling& polling);

}  // namespace watchlab::client
