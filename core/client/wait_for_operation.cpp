#include "core/client/wait_for_operation.hpp"

#include <optional>
#include <utility>

#include "core/api/status.hpp"
#include "core/wait/loop.hpp"

namespace watchlab::client {
namespace {

/// How an operation stands; nothing for an object, which is its end.
std::optional<api::StatusState> state_of(const Answer& answer) {
  const auto* status = std::get_if<api::Status>(&answer);
  if (status == nullptr) {
    return std::nullopt;
  }
  // An unknown word cannot be taken for a success.
  return api::state_of(*status).value_or(api::StatusState::Failure);
}

}  // namespace

api::Result<Answer> wait_for_operation(runtime::Runtime& runtime, const runtime::StopToken& stop,
                                       const Answer& first, const OperationPolling& polling) {
  api::Result<Answer> answer = first;
  while (answer && state_of(*answer) == api::StatusState::Working) {
    const auto& working = std::get<api::Status>(*answer);
    const std::string operation = working.details.name;
    if (operation.empty() || polling.period == runtime::Duration::zero()) {
      return api::error_from(working);
    }
    if (!wait::sleep_unless_stopped(runtime, polling.period, stop)) {
      return api::Error{.kind = api::ErrorKind::Cancelled,
                        .message = "stopped while operation " + operation + " continues"};
    }
    answer = polling.ask(operation);
  }
  if (answer && state_of(*answer) == api::StatusState::Failure) {
    return api::error_from(std::get<api::Status>(*answer));
  }
  return answer;
}

}  // namespace watchlab::client
