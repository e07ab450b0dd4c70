#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::api {

/// Why an API server refused a request. Mirrors apimachinery meta/v1 StatusReason; `code_for` gives
/// the HTTP code of each. Relevant to list and watch: Expired and Gone (list again),
/// TooManyRequests (wait), Timeout with a cause (the revision is too large), InternalError (retry).
enum class StatusReason : std::uint8_t {
  Unknown,
  Unauthorized,
  Forbidden,
  NotFound,
  AlreadyExists,
  Conflict,
  Gone,
  Invalid,
  ServerTimeout,
  StorageReadError,
  Timeout,
  TooManyRequests,
  BadRequest,
  MethodNotAllowed,
  NotAcceptable,
  RequestEntityTooLarge,
  UnsupportedMediaType,
  InternalError,
  Expired,
  ServiceUnavailable,
};

/// One of several causes of a failure. Mirrors apimachinery meta/v1 StatusCause.
struct StatusCause {
  std::string reason;   ///< for programs: "FieldValueRequired", "ResourceVersionTooLarge"
  std::string message;  ///< for people
  std::string field;    ///< where in the object: "metadata.name"

  bool operator==(const StatusCause&) const = default;
};

/// What the refusal is about, as far as the server says. Mirrors apimachinery meta/v1
/// StatusDetails; "" and 0 mean unset.
struct StatusDetails {
  std::string name;   ///< of the object
  std::string group;  ///< of its kind
  std::string kind;   ///< often the resource instead: "configmaps"
  std::string uid;
  std::vector<StatusCause> causes;
  std::int32_t retry_after_seconds = 0;  ///< how long the client should wait

  bool operator==(const StatusDetails&) const = default;
};

/// An API server's answer that is not an object. Mirrors apimachinery meta/v1 Status.
struct Status {
  std::string status = "Failure";  ///< "Success", "Failure"; "Working" in the early API
  StatusReason reason = StatusReason::Unknown;
  std::int32_t code = 0;  ///< the HTTP code
  std::string message;
  StatusDetails details;
  std::string continue_token;  ///< metadata.continue in the answer to an expired continue token

  bool operator==(const Status&) const = default;
};

/// "Expired" and so on; "" for Unknown, as on the wire.
[[nodiscard]] std::string_view to_string(StatusReason reason);
/// The reason with this name; Unknown if there is none.
[[nodiscard]] StatusReason reason_named(std::string_view name);
/// The HTTP code that servers use for this reason; 0 for Unknown.
[[nodiscard]] std::int32_t code_for(StatusReason reason);

/// A failure with the default code of its reason.
[[nodiscard]] Status failure(StatusReason reason, std::string message);

/// The state of the operation that a Status describes. Today's servers say only Success or Failure.
/// Those of 2014 answered a slow write with Working: the operation continues, and the client polls
/// `details.name`, the operation's id, until the answer is something else.
/// `client::wait_for_operation` does that.
enum class StatusState : std::uint8_t { Success, Failure, Working };

/// "Success", "Failure", "Working".
[[nodiscard]] std::string_view to_string(StatusState state);
/// Nothing for a word that is none of these three.
[[nodiscard]] std::optional<StatusState> state_of(const Status& status);
/// The answer, with code 202, of a server that has not finished yet.
[[nodiscard]] Status working(std::string operation);

/// The reason that a client assumes if an answer has only a code: the inverse of `code_for`. If
/// several reasons share a code, the most general one: Conflict for 409, Gone for 410,
/// InternalError for 500 and for higher codes without their own reason. Unknown for all other
/// codes.
[[nodiscard]] StatusReason reason_for(std::int32_t code);

}  // namespace watchlab::api
