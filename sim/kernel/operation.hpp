#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/runtime/ensure.hpp"

namespace watchlab::sim {

class SimObject;

/// What a visible operation does. The values are part of every digest: add new ones at the end
/// only.
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
  CondWait,     ///< releases the mutex and starts to wait, in one step
  CondTimeout,  ///< the deadline of a wait passed
  Relock,       ///< a woken waiter reacquires the mutex
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
  Await,        ///< a task that repeats itself lets others run; `extra`: see `Spinning`
};

/// "lock", "wait on" and so on, for use before an object's name.
[[nodiscard]] std::string_view verb_for(OperationKind kind);

/// What a task is about to do, published before the decision about who goes next. `object` is null
/// if the operation concerns only the task itself. `extra` distinguishes operations of the same
/// kind on the same object if that matters (how many arms, by how much a group counts).
struct Operation {
  OperationKind kind = OperationKind::Start;
  SimObject* object = nullptr;
  std::uint64_t extra = 0;
  runtime::Location here;
};

/// "lock mutex 'queue'": the verb and its object.
[[nodiscard]] std::string describe(const Operation& operation);

}  // namespace watchlab::sim
