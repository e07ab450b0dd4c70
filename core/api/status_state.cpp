#include "core/api/status_state.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace watchlab::api {

namespace {

constexpr std::array<std::string_view, 3> kStates = {"Success", "Failure", "Working"};

constexpr std::int32_t kAccepted = 202;
constexpr std::int32_t kServerFailed = 500;

/// The reasons that are not the only ones of their code, and stand for all of them.
constexpr std::array kFirstOfTheirCode = {StatusReason::Conflict, StatusReason::Gone,
                                          StatusReason::InternalError};

}  // namespace

std::string_view name_of(StatusState state) { return kStates.at(static_cast<std::size_t>(state)); }

std::optional<StatusState> state_of(const Status& status) {
  const auto* name = std::ranges::find(kStates, status.status);
  if (name == kStates.end()) {
    return std::nullopt;
  }
  return static_cast<StatusState>(name - kStates.begin());
}

Status working(std::string operation) {
  Status status;
  status.status = name_of(StatusState::Working);
  status.code = kAccepted;
  status.details.name = std::move(operation);
  return status;
}

StatusReason reason_for(std::int32_t code) {
  const auto* first = std::ranges::find(kFirstOfTheirCode, code, code_for);
  if (first != kFirstOfTheirCode.end()) {
    return *first;
  }
  for (auto i = static_cast<int>(StatusReason::Unauthorized);
       i <= static_cast<int>(StatusReason::ServiceUnavailable); ++i) {
    const auto reason = static_cast<StatusReason>(i);
    if (code_for(reason) == code) {
      return reason;
    }
  }
  return code > kServerFailed ? StatusReason::InternalError : StatusReason::Unknown;
}

}  // namespace watchlab::api
