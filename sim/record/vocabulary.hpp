#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The words of a record, as enums. Their texts stand in scenario files, in JSON and in messages,
/// and nowhere else.
namespace watchlab::sim {

/// The texts of an enum's values, in the order of the values: one table for each enum.
template <typename Value>
inline constexpr std::array<std::string_view, 0> kTexts{};

/// An enum that has such a table.
template <typename Value>
concept HasTexts = !kTexts<Value>.empty();

template <HasTexts Value>
[[nodiscard]] constexpr std::string_view to_string(Value value) {
  return kTexts<Value>.at(static_cast<std::size_t>(value));
}

/// "" for nothing.
template <HasTexts Value>
[[nodiscard]] constexpr std::string_view to_string(const std::optional<Value>& value) {
  return value ? to_string(*value) : "";
}

/// The value with that text; nothing when there is none.
template <HasTexts Value>
[[nodiscard]] constexpr std::optional<Value> value_of(std::string_view text) {
  const auto& texts = kTexts<Value>;
  const auto* const found = std::find(texts.begin(), texts.end(), text);
  return found == texts.end() ? std::nullopt
                              : std::optional(static_cast<Value>(found - texts.begin()));
}

/// How a server answered a request, or why no answer came.
enum class AnswerKind : std::uint8_t {
  Ok,
  Pending,  ///< there is no answer yet
  // The connection failed.
  Refused,
  Reset,
  Eof,
  UnexpectedEof,
  Timeout,
  Cancelled,
  // The server answered with a Status.
  Expired,
  Gone,
  TooMany,
  Internal,
  ServerTimeout,
  Unavailable,
  GatewayTimeout,
  Unauthorized,
  Forbidden,
  NotFound,
  Invalid,
  BadRequest,
  Conflict,
  Exists,
  TooLargeRevision,
  Other,  ///< any other failure
};

template <>
inline constexpr auto kTexts<AnswerKind> = std::to_array<std::string_view>({"ok",
                                                                            "pending",
                                                                            "refused",
                                                                            "reset",
                                                                            "eof",
                                                                            "unexpected_eof",
                                                                            "timeout",
                                                                            "cancelled",
                                                                            "expired",
                                                                            "gone",
                                                                            "too_many",
                                                                            "internal",
                                                                            "server_timeout",
                                                                            "unavailable",
                                                                            "gateway_timeout",
                                                                            "unauthorized",
                                                                            "forbidden",
                                                                            "not_found",
                                                                            "invalid",
                                                                            "bad_request",
                                                                            "conflict",
                                                                            "exists",
                                                                            "too_large_rv",
                                                                            "other"});

static_assert(value_of<AnswerKind>("other") == AnswerKind::Other);

/// How the stream of an answered WATCH ended.
enum class StreamEnd : std::uint8_t {
  Open,     ///< it has not
  Closed,   ///< cleanly
  Cut,      ///< the connection failed
  Expired,  ///< after an ERROR event with a 410
  Error,    ///< after any other ERROR event
  Stopped,  ///< by the client
};

template <>
inline constexpr auto kTexts<StreamEnd> =
    std::to_array<std::string_view>({"open", "closed", "cut", "expired", "error", "stopped"});

static_assert(value_of<StreamEnd>("stopped") == StreamEnd::Stopped);

/// Which function of a handler was called.
enum class CallType : std::uint8_t { Add, Update, Delete };

template <>
inline constexpr auto kTexts<CallType> =
    std::to_array<std::string_view>({"add", "update", "delete"});

static_assert(value_of<CallType>("delete") == CallType::Delete);

/// How a state of an object came to a client: in a list, or by an event of a watch.
enum class ServedType : std::uint8_t { Listed, Added, Modified, Deleted };

template <>
inline constexpr auto kTexts<ServedType> =
    std::to_array<std::string_view>({"listed", "added", "modified", "deleted"});

static_assert(value_of<ServedType>("deleted") == ServedType::Deleted);

/// How a client came to its end by itself.
enum class EndCause : std::uint8_t {
  Running,   ///< it has not
  KeyError,  ///< an object had no key
  Closed,    ///< its queue was closed
  Other,     ///< any other error
  Done,      ///< it had done what it wanted
};

template <>
inline constexpr auto kTexts<EndCause> =
    std::to_array<std::string_view>({"running", "key_error", "closed", "other", "done"});

static_assert(value_of<EndCause>("done") == EndCause::Done);

/// What was done with a key of a work queue.
enum class WorkType : std::uint8_t {
  Added,
  Taken,  ///< by a worker
  Done,   ///< by the worker that had taken it
};

template <>
inline constexpr auto kTexts<WorkType> =
    std::to_array<std::string_view>({"added", "taken", "done"});

static_assert(value_of<WorkType>("done") == WorkType::Done);

}  // namespace watchlab::sim
