#include "core/api/error.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace watchlab::api {

namespace {

constexpr std::string_view kTooLarge = "Too large resource version";

bool has_reason(const Error& error, StatusReason reason) {
  return error.kind == ErrorKind::Status && error.status.reason == reason;
}

// A proxy in between may answer with a code and no reason we know; the code speaks then.
bool has_reason_or_bare_code(const Error& error, StatusReason reason) {
  return has_reason(error, reason) ||
         (has_reason(error, StatusReason::Unknown) && error.status.code == code_for(reason));
}

}  // namespace

Error error_from(Status status) {
  std::string message = status.message;
  return {.kind = ErrorKind::Status, .message = std::move(message), .status = std::move(status)};
}

bool is_expired(const Error& error) { return has_reason(error, StatusReason::Expired); }

bool is_gone(const Error& error) { return has_reason_or_bare_code(error, StatusReason::Gone); }

bool is_too_many_requests(const Error& error) {
  // The code alone is enough here, whatever the reason says: the original's rule is older than the
  // one of its siblings.
  return has_reason(error, StatusReason::TooManyRequests) ||
         (error.kind == ErrorKind::Status &&
          error.status.code == code_for(StatusReason::TooManyRequests));
}

bool is_internal_error(const Error& error) {
  return has_reason_or_bare_code(error, StatusReason::InternalError);
}

bool is_not_found(const Error& error) {
  return has_reason_or_bare_code(error, StatusReason::NotFound);
}

bool is_conflict(const Error& error) {
  return has_reason_or_bare_code(error, StatusReason::Conflict);
}

bool is_too_large_resource_version(const Error& error) {
  if (error.kind != ErrorKind::Status) {
    return false;
  }
  const auto& causes = error.status.details.causes;
  if (std::ranges::find(causes, "ResourceVersionTooLarge", &StatusCause::reason) != causes.end()) {
    return true;  // servers since 1.18.6
  }
  if (!has_reason_or_bare_code(error, StatusReason::Timeout)) {
    return false;
  }
  if (std::ranges::find(causes, kTooLarge, &StatusCause::message) != causes.end()) {
    return true;  // servers of 1.17.0 to 1.18.5
  }
  return error.status.message.find(kTooLarge) != std::string::npos;  // servers before 1.17
}

}  // namespace watchlab::api
