#pragma once

#include <cstdint>
#include <string>

#include "core/api/status.hpp"

namespace watchlab::api {

/// The kind of a modelled failure.
enum class ErrorKind : std::uint8_t {
  Status,             ///< the server answered with a Status; see Error::status
  ConnectionRefused,  ///< no server listens
  ConnectionReset,    ///< the connection broke before an answer
  Eof,                ///< the stream ended cleanly before an answer
  UnexpectedEof,      ///< the stream ended in the middle of something
  Timeout,            ///< no answer in time
  Cancelled,          ///< the caller's stop token was stopped
  Key,                ///< the key of an object could not be computed
  Closed,             ///< the queue, heap or broadcaster is closed
  VeryShortWatch,     ///< a watch that ended within a second without any event
  Decode,             ///< the bytes are not a valid object or event
  Other,              ///< anything else; the message says what
};

/// A failure of the modelled world, as a value that core must handle.
struct Error {
  ErrorKind kind = ErrorKind::Other;
  std::string message;
  Status status;  ///< meaningful for ErrorKind::Status only

  bool operator==(const Error&) const = default;
};

/// A refusal as an error, with the server's message. Mirrors apimachinery api/errors, FromObject.
[[nodiscard]] Error error_from(Status status);

/// Predicates on an error that carries a Status; false for every other kind.
/// Mirrors apimachinery api/errors, IsResourceExpired and its siblings.
[[nodiscard]] bool is_expired(const Error& error);
[[nodiscard]] bool is_gone(const Error& error);
[[nodiscard]] bool is_too_many_requests(const Error& error);
[[nodiscard]] bool is_internal_error(const Error& error);
[[nodiscard]] bool is_not_found(const Error& error);
[[nodiscard]] bool is_conflict(const Error& error);
/// Recognises the answers of all three generations of servers. Mirrors client-go reflector.go,
/// isTooLargeResourceVersionError.
[[nodiscard]] bool is_too_large_resource_version(const Error& error);

}  // namespace watchlab::api
