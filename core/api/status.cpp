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

constexpr std::array<ReasonRow, 20> kReasons{{
    {StatusReason::Unknown, "", 0},
    {StatusReason::Unauthorized, "Unauthorized", 401},
    {StatusReason::Forbidden, "Forbidden", 403},
    {StatusReason::NotFound, "NotFound", 404},
    {StatusReason::AlreadyExists, "AlreadyExists", 409},
    {StatusReason::Conflict, "Conflict", 409},
    {StatusReason::Gone, "Gone", 410},
    {StatusReason::Invalid, "Invalid", 422},
    {StatusReason::ServerTimeout, "ServerTimeout", 500},
    {StatusReason::StorageReadError, "StorageReadError", 500},
    {StatusReason::Timeout, "Timeout", 504},
    {StatusReason::TooManyRequests, "TooManyRequests", 429},
    {StatusReason::BadRequest, "BadRequest", 400},
    {StatusReason::MethodNotAllowed, "MethodNotAllowed", 405},
    {StatusReason::NotAcceptable, "NotAcceptable", 406},
    {StatusReason::RequestEntityTooLarge, "RequestEntityTooLarge", 413},
    {StatusReason::UnsupportedMediaType, "UnsupportedMediaType", 415},
    {StatusReason::InternalError, "InternalError", 500},
    {StatusReason::Expired, "Expired", 410},
    {StatusReason::ServiceUnavailable, "ServiceUnavailable", 503},
}};

const ReasonRow& row_of(StatusReason reason) {
  const auto* row = std::ranges::find(kReasons, reason, &ReasonRow::reason);
  return row != kReasons.end() ? *row : kReasons.front();
}

}  // namespace

std::string_view name_of(StatusReason reason) { return row_of(reason).name; }

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

}  // namespace watchlab::api
