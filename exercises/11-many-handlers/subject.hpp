#pragma once

#include <memory>
#include <string>

#include "core/api/object.hpp"
#include "core/cache/list_watch.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/runtime/time.hpp"

namespace watchlab::exercise {

/// Receives what changed. Written by the tests.
class Handler {
 public:
  Handler() = default;
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;
  virtual ~Handler() = default;

  /// `was_there`: the object was there already when the informer, or this handler, began.
  virtual void on_add(const api::ObjectPtr& object, bool was_there) = 0;
  virtual void on_update(const api::ObjectPtr& before, const api::ObjectPtr& after) = 0;
  /// `was_missed`: the deletion itself was not seen, and `last` is the last state that was.
  virtual void on_delete(const api::ObjectPtr& last, bool was_missed) = 0;
};

/// A handler's place in an informer. Keep it until the informer's `run` has come back.
class Registration {
 public:
  Registration() = default;
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  virtual ~Registration() = default;

  /// See H8.
  [[nodiscard]] virtual bool has_synced() const = 0;
  /// See H9.
  virtual void remove() = 0;
};

/// One watch and one store of the server's ConfigMaps for any number of handlers. *At once* means
/// within a second in what follows. The promises:
///
/// - **H1** A handler is notified after the store has changed: when it is notified of a state,
///   `get` gives that state or what came after it (C6).
/// - **H2** Each change that the watch shows is one call of each handler, at once: an add where the
///   object was not there, an update where it was, a delete. An update has the state that the
///   handler had of the object before, and the new one. So it is for a list that comes after a
///   broken watch; what has not changed may be repeated then, as an update.
/// - **H3** Calls of one handler come one after the other, those of one object in the order of the
///   server's states (C7). Of two objects, or two handlers, no order is promised.
/// - **H4** A deletion that no watch has shown is delivered when the list that lacks the object has
///   come. The call has the last state that was known, and says that it was missed (C10).
/// - **H5** A handler that is added late gets at once an add for each object of the store, which
///   says that it was there, and after that what all get: nothing is missing, nothing comes twice
///   (C8).
/// - **H6** A slow handler delays neither the store nor another handler. It loses nothing, however
///   far it is behind (C11).
/// - **H7** A handler that was added before `run` with a resync period gets an update for each
///   object of the store again and again, with one state as before and after: not sooner than a
///   period after the last time, and not later than two. One with the period zero gets none.
/// - **H8** The informer has synced when the store has the first list, at once. A registration has
///   when its handler has come back from the adds of all that was there (C12): not before, and at
///   once.
/// - **H9** At once after `remove`, the handler is called no more; others do not notice.
/// - **H10** When it is stopped, `run` comes back at once, or as soon as the calls at hand are
///   over; what waits for a handler is dropped. After that no handler is called, also none that is
///   added later.
///
/// Any task may call any function at any time; handlers may, too (C15).
class Informer {
 public:
  Informer() = default;
  Informer(const Informer&) = delete;
  Informer& operator=(const Informer&) = delete;
  virtual ~Informer() = default;

  /// Works until it is stopped. One task calls it, once.
  virtual void run(const runtime::StopToken& stop) = 0;
  /// The handler must outlive the registration.
  [[nodiscard]] virtual std::unique_ptr<Registration> add_handler(
      Handler& handler, runtime::Duration resync_period) = 0;
  [[nodiscard]] virtual bool has_synced() const = 0;
  /// The store's object, or null.
  [[nodiscard]] virtual api::ObjectPtr get(const std::string& key) const = 0;
};

/// An informer of what `source` lists and watches. Each variant of this exercise has its own.
[[nodiscard]] std::unique_ptr<Informer> make_informer(runtime::Runtime& runtime,
                                                      std::shared_ptr<cache::ListerWatcher> source);

}  // namespace watchlab::exercise
