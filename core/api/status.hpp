#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::api {

/// Why an API server refused. Mirrors apimachinery meta/v1 StatusReason; `code_for` gives the HTTP
/// code of each. Of interest to list-watch code: Expired and Gone (list anew), TooManyRequests
/// (wait), Timeout with a cause (the revision is too large), InternalError (worth a try).
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

/// One of several things that were wrong. Mirrors apimachinery meta/v1 StatusCause.
struct StatusCause {
  std::string reason;   ///< for programs: "FieldValueRequired", "ResourceVersionTooLarge"
  std::string message;  ///< for people
  std::string field;    ///< where in the object: "metadata.name"

  bool operator==(const StatusCause&) const = default;
};

/// What the refusal is about, as far as the server says. Mirrors apimachinery meta/v1
/// StatusDetails; "" and 0 mean that it does not.
struct StatusDetails {
  std::string name;   ///< of the object
  std::string group;  ///< of its kind
  std::string kind;   ///< often the resource instead: "configmaps"
  std::string uid;
  std::vector<StatusCause> causes;
  std::int32_t retry_after_seconds = 0;  ///< how long the client is asked to wait

  bool operator==(const StatusDetails&) const = default;
};

/// The answer of an API server that is no object. Mirrors apimachinery meta/v1 Status.
struct Status {
  std::string status = "Failure";  ///< "Success", "Failure"; "Working" in the early API
  StatusReason reason = StatusReason::Unknown;
  std::int32_t code = 0;  ///< the HTTP code
  std::string message;
  StatusDetails details;
  std::string continue_token;  ///< metadata.continue of an expired continue token's answer

  bool operator==(const Status&) const = default;
};

/// "Expired" and so on; "" for Unknown, as on the wire.
[[nodiscard]] std::string_view to_string(StatusReason reason);
/// The reason with that name; Unknown when there is none.
[[nodiscard]] StatusReason reason_named(std::string_view name);
/// The HTTP code that a server uses for the reason; 0 for Unknown.
[[nodiscard]] std::int32_t code_for(StatusReason reason);

/// A failure with the reason's default code.
[[nodiscard]] Status failure(StatusReason reason, std::string message);

/// How the operation stands that a Status speaks of. Today's servers say Success or Failure only.
/// Those of 2014 answered a write that took long with Working: the operation continues, and a
/// client that wants to know how it ends asks again for `details.name`, the operation's id, until
/// the answer is something else. `client::wait_for_operation` does that.
enum class StatusState : std::uint8_t { Success, Failure, Working };

/// "Success", "Failure", "Working".
[[nodiscard]] std::string_view to_string(StatusState state);
/// Nothing for a word that is none of the three.
[[nodiscard]] std::optional<StatusState> state_of(const Status& status);
/// The answer, with code 202, of a server that has not finished yet.
[[nodiscard]] Status working(std::string operation);

/// The reason that a client assumes when an answer has a code and nothing else; the way back from
/// `code_for`. Of the reasons that share a code it is the one that claims least: Conflict of 409,
/// Gone of 410, InternalError of 500 and of every code above without a reason of its own. Unknown
/// for all others.
[[nodiscard]] StatusReason reason_for(std::int32_t code);

}  // namespace watchlab::api
