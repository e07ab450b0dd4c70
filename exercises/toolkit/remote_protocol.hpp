#pragma once

#include <cstdint>

/// What the process that judges (the judge) and the process that runs a student's library (the
/// host) send each other. One of them runs at a time: the judge sends and waits, the host answers
/// and waits. A *call* is numbered by the judge; all messages about it carry that number.
namespace watchlab::course {

/// The host's end of the connection.
inline constexpr int library_descriptor = 5;
/// With this status the judge ends when the host has ended or has broken the protocol.
inline constexpr int library_ended_status = 99;

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
  Operation,  ///< call, operation, bytes: do this in the world and send its result
  Returned,   ///< call, bytes
  Panicked,   ///< call, text
  Failed,     ///< call, text, file, line: an `ensure` of the library
  Threw,      ///< call, text: another exception
  Killed,     ///< call
  Count,
};

/// What a library asks of its runtime; each stands for the function of that name.
enum class Operation : std::uint8_t {
  Request,  ///< object, method, arguments: the host calls the judge
  Spawn,
  Yield,
  Now,
  SleepUntil,
  Lock,
  TryLock,
  Unlock,
  LockExclusive,
  UnlockExclusive,
  LockShared,
  UnlockShared,
  Wait,
  NotifyOne,
  NotifyAll,
  GroupAdd,
  GroupWait,
  AtomicAccess,
  Close,
  Size,
  TimerStop,
  TimerReset,
  Select,
  SeedFor,
  Choose,
  Order,
  Join,
  Done,
  Checks,
  // Without a result. The library numbers what it makes.
  MakeMutex,
  MakeSharedMutex,
  MakeCondVar,
  MakeWaitGroup,
  MakeCell,
  MakeChannel,
  MakeTimer,
  PlainAccess,
  Label,
  Note,
  Log,
  Retire,
  Count,
};

}  // namespace watchlab::course
