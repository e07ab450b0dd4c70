#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::exercise {

/// How a change came into the queue. Replaced is what a list has shown, Sync a repetition of what
/// the cache should have already.
enum class ChangeType : std::uint8_t { Added, Updated, Deleted, Replaced, Sync };

/// One change of an object, as it comes out of the queue (E05, E06).
struct Change {
  ChangeType type = ChangeType::Added;
  api::ObjectPtr object;    ///< its new state; the last one for Deleted
  bool was_missed = false;  ///< a Deleted that only a list has shown: `object` is what was known
};

/// The changes of one object, the oldest first.
using Changes = std::vector<Change>;

/// What the informer knows: objects by key, which is "namespace/name", or "name"
/// (`api::key_of(object->metadata)`). Given by the tests. Any task may call any function.
class Cache {
 public:
  Cache() = default;
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;
  virtual ~Cache() = default;

  /// Null when there is none.
  [[nodiscard]] virtual api::ObjectPtr get(const std::string& key) const = 0;
  [[nodiscard]] virtual std::vector<api::ObjectPtr> list() const = 0;
  virtual void put(const api::ObjectPtr& object) = 0;
  virtual void remove(const std::string& key) = 0;
};

/// Receives what changed. Given by the tests. It reads the cache, may take its time, and never
/// calls the processor.
class Handler {
 public:
  Handler() = default;
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;
  virtual ~Handler() = default;

  virtual void on_add(const api::ObjectPtr& object, bool was_there) = 0;
  virtual void on_update(const api::ObjectPtr& before, const api::ObjectPtr& after) = 0;
  virtual void on_delete(const api::ObjectPtr& last, bool was_missed) = 0;
};

/// A handler's place in a processor. Written by you.
class Registration {
 public:
  Registration() = default;
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  virtual ~Registration() = default;

  /// See B7.
  virtual void remove() = 0;
};

/// Brings the cache up to date with what the queue says, and notifies handlers. Written by you. The
/// promises:
///
/// - **B1** `process` takes the changes one by one: first the cache, then a call of each handler,
///   and then the next change. So a handler finds in the cache the state that it is notified of
///   (C6). When `process` has come back, all calls have.
/// - **B2** What the call is, the cache decides, not the type: an object that it lacks is an add,
///   one that it has is an update, with the state that the cache had before and the new one.
/// - **B3** A Deleted is a delete, with the object and the `was_missed` of the change, also when
///   the cache has no such object (C10). The object is not in the cache then.
/// - **B4** A state is a repetition if the cache has that object in that version. It is stored all
///   the same, and only handlers that want resyncs get the update. Versions are compared for
///   nothing else: 9 may follow 10 (C13).
/// - **B5** An add of `process` was there if `in_first_list` says so.
/// - **B6** `add_handler` notifies the new handler of each object of the cache, by an add that was
///   there. After that it gets what all get: nothing is missing, nothing comes twice (C8).
/// - **B7** When `remove` has come back, the handler is in no call of this registration, and will
///   be in none. Other registrations do not notice.
/// - **B8** Any task may call any function at any time, and no task waits indefinitely (C15). There
///   is one call of a handler at a time, and of two calls of `process` the changes of one are
///   processed before those of the other (C7).
///
/// Not promised: the order of two handlers, and of the objects of `add_handler`.
class Processor {
 public:
  Processor() = default;
  Processor(const Processor&) = delete;
  Processor& operator=(const Processor&) = delete;
  virtual ~Processor() = default;

  /// The changes of one object, as a `pop` of the queue gives them.
  virtual void process(const Changes& changes, bool in_first_list) = 0;
  /// The handler outlives its registration, the registration the last call of the processor.
  [[nodiscard]] virtual std::unique_ptr<Registration> add_handler(Handler& handler,
                                                                  bool wants_resyncs) = 0;
};

/// A processor of yours, without handlers. `cache` outlives it, and no other task writes there.
[[nodiscard]] std::unique_ptr<Processor> make_processor(runtime::Runtime& runtime, Cache& cache);

}  // namespace watchlab::exercise
