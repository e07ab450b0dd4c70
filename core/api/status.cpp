#include "core/api/status.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace watchlab::api {
namespace {

struct ReasonRow {
  StatusReason reason;
  std::string_view name;
  std::int32_t code;
};

/// Of the reasons that share a code the first one claims least; see `reason_for`.
constexpr std::array<ReasonRow, 20> kReasons{{
    {StatusReason::Unknown, "", 0},
    {StatusReason::Unauthorized, "Unauthorized", 401},
    {StatusReason::Forbidden, "Forbidden", 403},
    {StatusReason::NotFound, "NotFound", 404},
    {StatusReason::Conflict, "Conflict", 409},
    {StatusReason::AlreadyExists, "AlreadyExists", 409},
    {StatusReason::Gone, "Gone", 410},
    {StatusReason::Expired, "Expired", 410},
    {StatusReason::Invalid, "Invalid", 422},
    {StatusReason::InternalError, "InternalError", 500},
    {StatusReason::ServerTimeout, "ServerTimeout", 500},
    {StatusReason::StorageReadError, "StorageReadError", 500},
    {StatusReason::Timeout, "Timeout", 504},
    {StatusReason::TooManyRequests, "TooManyRequests", 429},
    {StatusReason::BadRequest, "BadRequest", 400},
    {StatusReason::MethodNotAllowed, "MethodNotAllowed", 405},
    {StatusReason::NotAcceptable, "NotAcceptable", 406},
    {StatusReason::RequestEntityTooLarge, "RequestEntityTooLarge", 413},
    {StatusReason::UnsupportedMediaType, "UnsupportedMediaType", 415},
    {StatusReason::ServiceUnavailable, "ServiceUnavailable", 503},
}};

const ReasonRow& row_of(StatusReason reason) {
  const auto* row = std::ranges::find(kReasons, reason, &ReasonRow::reason);
  return row != kReasons.end() ? *row : kReasons.front();
}

}  // namespace

std::string_view to_string(StatusReason reason) { return row_of(reason).name; }

StatusReason reason_named(std::string_view name) {
  const auto* row = std::ranges::find(kReasons, name, &ReasonRow::name);
  return row != kReasons.end() ? row->reason : StatusReason::Unknown;
}

std::int32_t code_for(StatusReason reason) { return row_of(reason).code; }

Status failure(StatusReason reason, std::string message) {
  Status status;
  status.reason = reason;
  status.code = code_for(reason);
  status.message = std::move(message);
  return status;
}

namespace {

constexpr std::array<std::string_view, 3> kStates = {"Success", "Failure", "Working"};

constexpr std::int32_t kAccepted = 202;
constexpr std::int32_t kServerFailed = 500;

}  // namespace

std::string_view to_string(StatusState state) {
  return kStates.at(static_cast<std::size_t>(state));
}

std::optional<StatusState> state_of(const Status& status) {
  const auto* name = std::ranges::find(kStates, status.status);
  if (name == kStates.end()) {
    return std::nullopt;
  }
  return static_cast<StatusState>(name - kStates.begin());
}

Status working(std::string operation) {
  Status status;
  status.status = to_string(StatusState::Working);
  status.code = kAccepted;
  status.details.name = std::move(operation);
  return status;
}

StatusReason reason_for(std::int32_t code) {
  const auto* row = std::ranges::find(kReasons, code, &ReasonRow::code);
  if (row != kReasons.end()) {
    return row->reason;
  }
  return code > kServerFailed ? StatusReason::InternalError : StatusReason::Unknown;
}

}  // namespace watchlab::api
