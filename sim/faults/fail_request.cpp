#include "sim/faults/fail_request.hpp"

#include "sim/faults/failure_words.hpp"

namespace watchlab::sim {

std::vector<FaultParameter> fail_request_parameters() {
  return {{"answer", ParameterKind::Failure, std::nullopt, "With which failure."},
          {"retry_after", ParameterKind::Integer, std::int64_t{0},
           "After how many seconds the client shall try again; 0 to say nothing."}};
}

api::Error failure_from(const FaultParameters& parameters) {
  api::Error error = *failure_for(parameters.text("answer"));
  const std::int64_t retry_after = parameters.integer("retry_after");
  if (retry_after > 0) {
    error.status.details.retry_after_seconds = static_cast<std::int32_t>(retry_after);
  }
  return error;
}

}  // namespace watchlab::sim
