#pragma once

#include <memory>

#include "core/api/object.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/time.hpp"

namespace watchlab::exercise {

/// One change on its way to a handler. What kind of change it is does not matter here.
struct Notification {
  api::ObjectPtr object;
  bool in_first_list = false;  ///< it is an add of what was there when the handler came
};

/// Receives notifications. Given by the tests. It may take its time, and never calls
/// the listener.
class Handler {
 public:
  Handler() = default;
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;
  virtual ~Handler() = default;

  /// False when it failed.
  [[nodiscard]] virtual bool handle(const Notification& notification) = 0;
};

/// What the notifications come from. Given by the tests.
class Informer {
 public:
  Informer() = default;
  Informer(const Informer&) = delete;
  Informer& operator=(const Informer&) = delete;
  virtual ~Informer() = default;

  /// Whether the store has the first list. What the list has for the handler was added before.
  [[nodiscard]] virtual bool has_synced() const = 0;
};

/// Stands between an informer and one handler, so that a slow handler delays nothing else. Written
/// by you. The promises:
///
/// - **P1** Each notification that is added is one call of the handler, in the order of the `add`
///   calls (C7). None is dropped, merged with another one or repeated, and there is one call at a
///   time.
/// - **P2** While a task is in `run`, `add` waits for no call of the handler, however many
///   notifications wait, and does not call it itself (C11). When the handler is in no call, it is
///   called at once.
/// - **P3** A call that has failed is not repeated. The next call begins a second after its end, or
///   when there is something to call for, if that is later. Nothing else waits for that second.
/// - **P4** The listener has synced when the informer has, and the handler has come back from each
///   notification of the first list that was added (C12). Other notifications do not matter.
/// - **P5** `close` does not wait. If there is a call at that time, or the second of P3, `run`
///   comes back at its end, and what waits is dropped. Else `run` comes back at once.
/// - **P6** A resync is due when a period has passed since the listener was made, and since the
///   last call of `resynced`: not earlier. With the period zero it is never due.
/// - **P7** Any task may call any function at any time, and no task waits indefinitely (C15). But
///   `run` and `close` are called once, and `add` before `close`.
///
/// Not promised: when `add` comes back while no task is in `run`, whether there are calls for what
/// is added at the moment of the `close`, and whether a listener has synced with a handler that
/// failed in the first list.
class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  virtual void add(const Notification& notification) = 0;
  /// What a task of the tests does: it calls the handler, until the listener is closed. Tasks that
  /// you spawn here must have ended when it comes back.
  virtual void run() = 0;
  virtual void close() = 0;
  [[nodiscard]] virtual bool has_synced() const = 0;

  [[nodiscard]] virtual bool resync_is_due() const = 0;
  /// See P6.
  virtual void resynced() = 0;
};

/// A listener of yours, for a handler that wants a resync each `resync_period`. Handler and
/// informer outlive it.
[[nodiscard]] std::unique_ptr<Listener> make_listener(runtime::Runtime& runtime, Handler& handler,
                                                      const Informer& informer,
                                                      runtime::Duration resync_period);

}  // namespace watchlab::exercise
