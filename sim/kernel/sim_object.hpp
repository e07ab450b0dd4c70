#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/operation.hpp"

namespace watchlab::sim {

class Scheduler;
class SimTask;

/// The values are part of every identity: add new ones at the end only.
enum class ObjectKind : std::uint8_t {
  Task,
  Mutex,
  SharedMutex,
  CondVar,
  Channel,
  Timer,
  WaitGroup,
  Cell,
  Gate,
  Atomic,
};

[[nodiscard]] std::string_view to_string(ObjectKind kind);

/// Identifies an object, in the same way in every run that gets to make it: its creator, its kind,
/// its name, and how many of that kind and name the creator made before. Never an address.
struct Identity {
  std::shared_ptr<const SimTask> creator;  ///< null for the root task
  ObjectKind kind = ObjectKind::Task;
  std::string name;
  std::uint32_t occurrence = 1;  ///< counts from 1
  std::uint64_t digest = 0;      ///< over all of the above

  /// "main/reflector#2"; objects that are not tasks read "main/@timer".
  [[nodiscard]] std::string path() const;
  /// The same for people: "main/watch informer" instead of "main/watch%20informer". It cannot be
  /// turned back into a task.
  [[nodiscard]] std::string readable_path() const;
};

/// The common start of the digests of all objects with this creator, kind and name; `mix` adds the
/// occurrence. `creator` is 0 for the root task.
[[nodiscard]] std::uint64_t family_digest(std::uint64_t creator, ObjectKind kind,
                                          std::string_view name);

/// The digest of an identity with these parts; `creator` is 0 for the root task.
[[nodiscard]] std::uint64_t identity_digest(std::uint64_t creator, ObjectKind kind,
                                            std::string_view name, std::uint32_t occurrence);

/// The identity digest of a path as `Identity::path` writes it; 0 if the text is not a path.
[[nodiscard]] std::uint64_t digest_of_path(std::string_view path);

/// Who has used an object in this run, as far as the strategy has seen. Stored in the object,
/// because a lookup by identity would cost as much as the operation.
struct ObjectUse {
  enum class By : std::uint8_t { Unknown, OneTask, Several };

  By by = By::Unknown;
  bool spared = false;      ///< whether a decision about it was skipped
  std::uint64_t owner = 0;  ///< the digest of the only task
};

/// Anything that visible operations act on.
class SimObject {
 public:
  SimObject(Scheduler& scheduler, Identity&& identity, runtime::Location made)
      : scheduler_(scheduler),
        identity_(std::move(identity)),
        digest_(identity_.digest),
        made_(made) {}
  SimObject(const SimObject&) = delete;
  SimObject& operator=(const SimObject&) = delete;
  virtual ~SimObject() {
    if (looked_at_) [[unlikely]] {
      forget_looks();
    }
  }

  [[nodiscard]] const Identity& identity() const { return identity_; }
  /// Strategies and reports use this to recognise the object in all runs. The run's own digest uses
  /// the identity's digest, which for an object that no world made depends on its first use in the
  /// run.
  [[nodiscard]] std::uint64_t digest() const { return digest_; }
  void set_digest(std::uint64_t digest) { digest_ = digest; }
  /// Where it was made.
  [[nodiscard]] const runtime::Location& made() const { return made_; }
  /// "mutex 'queue'"; an object without a name is described by its place: "the mutex of
  /// queue.hpp:12", and further ones from there "mutex 2 of queue.hpp:12".
  [[nodiscard]] std::string describe() const;
  /// "mutex": the word for it in reports.
  [[nodiscard]] virtual std::string_view kind_text() const;
  /// Marks it as a further one from its place; for names only.
  void set_ordinal(std::uint32_t ordinal) { ordinal_ = ordinal; }

  /// How often it has changed, see `Scheduler::changed`.
  [[nodiscard]] std::uint64_t version() const { return version_; }

  /// For `PrivateObjects` only; no decision of the kernel uses it.
  [[nodiscard]] ObjectUse& use() const { return use_; }

  /// The tasks that could unblock `task`, which is blocked on this; empty if none is known.
  [[nodiscard]] virtual std::vector<const SimTask*> releasers(const SimTask& task) const;
  /// Whether only these can, whatever the program does.
  [[nodiscard]] virtual bool is_released_by_holder() const { return false; }
  /// Why `task` is blocked on this, for the end of a sentence: "which main/b holds since x.cpp:9".
  [[nodiscard]] virtual std::string blocked_because(const SimTask& task) const;

 protected:
  Scheduler& scheduler_;

 private:
  friend class Scheduler;

  [[gnu::cold]] void forget_looks();

  Identity identity_;
  std::uint64_t digest_;
  runtime::Location made_;
  std::uint64_t version_ = 0;
  bool looked_at_ = false;  ///< a task may remember it, see `Spinning`
  bool awaited_ = false;    ///< a spinning task waits for it to change
  mutable ObjectUse use_;
  std::uint32_t ordinal_ = 1;
};

/// Something that takes steps: a task, or a due timer. It has a slot in the scheduler while it may
/// become ready.
class Actor : public SimObject {
 public:
  static constexpr std::uint32_t kNoSlot = UINT32_MAX;

  Actor(Scheduler& scheduler, Identity&& identity, runtime::Location made, bool is_task)
      : SimObject(scheduler, std::move(identity), made), is_task_(is_task) {}

  [[nodiscard]] bool is_task() const { return is_task_; }
  /// Its next or current operation.
  [[nodiscard]] const Operation& pending() const { return pending_; }
  /// How many visible operations it has published; the address of its next decision.
  [[nodiscard]] std::uint32_t operations() const { return operations_; }
  [[nodiscard]] std::uint32_t slot() const { return slot_; }
  /// The step in which another actor made it ready or changed its next operation: started the task,
  /// woke it, armed the timer without delay. 0 if there is none.
  [[nodiscard]] std::size_t prompted_at() const { return prompted_at_; }
  /// Whether its record must live until the end of the run.
  [[nodiscard]] bool pinned() const { return pinned_; }
  /// A deviation or a report may name it from now on.
  void pin() { pinned_ = true; }
  /// The priority that a strategy gave it in this run; 0 before. For strategies only.
  [[nodiscard]] std::int64_t& priority() const { return priority_; }

 protected:
  /// What a timer does when it is chosen. Runs on whatever task is running and must not wait.
  virtual void fire() {}

 private:
  friend class Scheduler;

  Operation pending_;
  std::uint32_t operations_ = 0;
  std::uint32_t operations_then_ = 0;  ///< at the last check whether all tasks get to run
  std::uint32_t slot_ = kNoSlot;
  bool is_task_;
  bool pinned_ = false;
  std::size_t prompted_at_ = 0;
  mutable std::int64_t priority_ = 0;
};

}  // namespace watchlab::sim
