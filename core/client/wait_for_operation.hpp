#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <variant>

#include "core/api/object.hpp"
#include "core/api/result.hpp"
#include "core/runtime/stop_token.hpp"

namespace watchlab::client {

/// What a server answers to a write: the object, or a Status in its place.
using Answer = std::variant<api::ObjectPtr, api::Status>;

/// How `wait_for_operation` asks.
struct OperationPolling {
  /// Asks the server how the operation with this id stands.
  std::function<api::Result<Answer>(const std::string& operation)> ask;
  /// The pause before each question; zero for no question at all.
  runtime::Duration period = std::chrono::seconds(2);
};

/// What a write came to. An answer that is final is given back as it is. After a Working status it
/// waits a period and asks for the operation, again and again, until the answer is something else:
/// that is what the state was made for in 2014, when a server that needed longer for a write said
/// so in place of keeping the connection. Today's servers never say it.
///
/// Errors: a Failure, with its Status; an error of the question; `Cancelled` at the stop; a Working
/// status that names no operation or that no client shall ask about, with its Status, because the
/// caller then does not know how the write ends.
/// Mirrors Kubernetes 0.4 pkg/client/request.go, Request.Do and PollPeriod.
[[nodiscard]] api::Result<Answer> wait_for_operation(runtime::Runtime& runtime,
                                                     const runtime::StopToken& stop,
                                                     const Answer& first,
                                                     const OperationPolling& polling);

}  // namespace watchlab::client
