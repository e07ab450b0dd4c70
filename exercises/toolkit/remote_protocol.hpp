#pragma once

#include <cstdint>
#include <string_view>

/// What the process that has the worlds (the judge) and the process that runs what a student wrote
/// (the host) send each other. Where a library is judged, the judge calls it. Where the student
/// wrote tests, the library under test is the judge's, and the host asks for runs of its bodies.
/// One of them runs at a time: the judge sends and waits, the host answers and waits. A *call* is
/// numbered by the judge; all messages about it carry that number.
namespace watchlab::course {

/// The end of the connection, in both.
inline constexpr int kLibraryDescriptor = 5;
/// With this status the one that reports ends when the other has ended or has broken the protocol.
inline constexpr int kLibraryEndedStatus = 99;
/// In place of a call, for what the host asks outside of every call: to play worlds.
inline constexpr std::uint64_t kOutsideOfCalls = UINT64_MAX;

enum class ToHost : std::uint8_t {
  Call,    ///< call, object, method, arguments: run this on a fiber of its own
  Result,  ///< call, bytes: of the operation that the call waits for
  Failed,  ///< call, text: the operation panicked
  Kill,    ///< call: the task is being ended; leave the call
  Reset,   ///< another world begins: forget all objects
  Count,
};

/// Before each: operations without a result that the host has done since, as one text.
enum class ToJudge : std::uint8_t {
  Operation,  ///< call, object, method, arguments: do this in the world and send its result
  Returned,   ///< call, bytes
  Panicked,   ///< call, text
  Failed,     ///< call, text, file, line: an `ensure` of the library
  Threw,      ///< call, text: another exception
  Killed,     ///< call
  Count,
};

/// The object of an operation is one that the judge has published, or, from this number on, one of
/// the world: its runtime (`RuntimeMethods`), the process that has the world (`Operations`), and
/// primitives, which the library numbers as it makes them (`MethodsOf`).
inline constexpr std::uint64_t kRuntimeObject = std::uint64_t{1} << 32U;
inline constexpr std::uint64_t kOperationsObject = kRuntimeObject + 1;
inline constexpr std::uint64_t kFirstPrimitive = kRuntimeObject + 2;

}  // namespace watchlab::course
