#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/runtime/ensure.hpp"

namespace watchlab::sim {

class SimObject;

/// What a visible operation does. The values are part of every digest: add at the end only.
enum class OperationKind : std::uint8_t {
  Start,  ///< a task's first step
  Exit,   ///< a task's last step
  Lock,
  TryLock,
  Unlock,
  ReadLock,     ///< a reader arrives; it may have to wait for a grant
  ReadGranted,  ///< a waiting reader continues
  ReadUnlock,
  WriteLock,     ///< a writer takes its turn among writers and holds off new readers
  WriteGranted,  ///< the last reader has left and the writer continues
  WriteUnlock,
  CondWait,     ///< releases the mutex and begins to wait, in one step
  CondTimeout,  ///< the deadline of a wait passed
  Relock,       ///< a woken waiter takes the mutex again
  NotifyOne,
  NotifyAll,
  Send,
  Receive,
  Select,    ///< several arms, blocking
  Poll,      ///< one or more arms, not blocking
  Continue,  ///< continues after another task completed this one's send or receive
  Close,
  ChannelSize,
  Sleep,
  Yield,
  TimerFire,
  TimerStop,
  TimerReset,
  Join,
  TaskDone,
  GroupAdd,
  GroupWait,
  AtomicRead,
  AtomicWrite,
  AtomicUpdate,
  GateChange,   ///< may open or close a gate; never waits
  GatePass,     ///< waits until a gate is open; `extra` says which way, see `SimGate`
  GateTimeout,  ///< the deadline of that wait passed
  Await,  ///< a task that finds the same again and again lets others go; `extra`: see `Spinning`
};

/// "lock", "wait on", … : reads well before an object's name.
[[nodiscard]] std::string_view verb_for(OperationKind kind);

/// What a task is about to do, published before the decision who goes next. `object` is null where
/// the operation concerns only the task itself. `extra` distinguishes operations of one kind on one
/// object where that matters (how many arms, by how much a group counts).
struct Operation {
  OperationKind kind = OperationKind::Start;
  SimObject* object = nullptr;
  std::uint64_t extra = 0;
  runtime::Location here;
};

/// "lock mutex 'queue'": the verb and what it is done to.
[[nodiscard]] std::string describe(const Operation& operation);

}  // namespace watchlab::sim
