#include "sim/explore/access.hpp"

#include <algorithm>
#include <array>

#include "sim/kernel/primitives/sim_channel.hpp"
#include "sim/kernel/primitives/sim_gate.hpp"
#include "sim/kernel/primitives/sim_mutex.hpp"
#include "sim/kernel/primitives/sim_shared_mutex.hpp"
#include "sim/kernel/primitives/sim_timer.hpp"
#include "sim/kernel/primitives/sim_wait_group.hpp"

namespace watchlab::sim {
namespace {

// What each operation touches. An operation with one object has a row in a table; those of channels
// and selects, which may touch several and what waits there, have functions.

using Direction = runtime::SelectCase::Direction;
using Kind = AccessKind;

std::uint8_t open_when(bool open) { return open ? Access::kEntrance : 0; }

/// What an object of an operation is, as far as its state says whether the operation is possible.
enum class Subject : std::uint8_t { None, Mutex, SharedMutex, Channel, Group, Plain };

/// The access of an operation on one object, by a fixed rule. `needs` is what must be open for it,
/// `kNever` where no other step can make it possible but the one that it answers: then the two are
/// ordered, and are no race. Operations without a row concern no other task (start, continue,
/// sleep, yield), or are listed by a function of their own.
struct Rule {
  OperationKind operation = OperationKind::Start;
  Subject part = Subject::None;
  Kind kind = Kind::Read;
  std::uint8_t needs = 0;
};

constexpr auto kRules = std::to_array<Rule>({
    {OperationKind::Lock, Subject::Mutex, Kind::Acquire, Access::kEntrance},
    {OperationKind::Relock, Subject::Mutex, Kind::Acquire, Access::kEntrance},
    {OperationKind::TryLock, Subject::Mutex, Kind::TryAcquire},
    {OperationKind::Unlock, Subject::Mutex, Kind::Release},
    {OperationKind::ReadLock, Subject::SharedMutex, Kind::ReadLock},
    {OperationKind::ReadGranted, Subject::SharedMutex, Kind::ReadGranted, Access::kNever},
    {OperationKind::ReadUnlock, Subject::SharedMutex, Kind::ReadUnlock},
    {OperationKind::WriteLock, Subject::SharedMutex, Kind::WriteLock, Access::kEntrance},
    {OperationKind::WriteGranted, Subject::SharedMutex, Kind::WriteGranted, Access::kNever},
    {OperationKind::WriteUnlock, Subject::SharedMutex, Kind::WriteUnlock},
    {OperationKind::CondTimeout, Subject::Plain, Kind::WaitTimeout},
    {OperationKind::NotifyOne, Subject::Plain, Kind::Notify},
    {OperationKind::NotifyAll, Subject::Plain, Kind::Notify},
    {OperationKind::Close, Subject::Channel, Kind::Touch},
    {OperationKind::ChannelSize, Subject::Channel, Kind::Size},
    {OperationKind::GroupWait, Subject::Group, Kind::GroupWait, Access::kEntrance},
    {OperationKind::Join, Subject::Plain, Kind::TaskJoin, Access::kNever},
    {OperationKind::TaskDone, Subject::Plain, Kind::TaskDone},
    {OperationKind::TimerStop, Subject::Plain, Kind::TimerUse},
    {OperationKind::TimerReset, Subject::Plain, Kind::TimerUse},
    {OperationKind::AtomicRead, Subject::Plain, Kind::Read},
    {OperationKind::AtomicWrite, Subject::Plain, Kind::Write},
    {OperationKind::AtomicUpdate, Subject::Plain, Kind::Write},
});

/// By the number of the operation.
constexpr auto kRuleOf = [] {
  std::array<Rule, static_cast<std::size_t>(OperationKind::Await) + 1> table{};
  for (const Rule& rule : kRules) {
    table.at(static_cast<std::size_t>(rule.operation)) = rule;
  }
  return table;
}();

/// Builds the accesses of one operation. What an operation may touch is asked before it is done,
/// because then the state that it needs can be seen: whether the lock is free, how much is
/// buffered. So `open` and `needs` of an access say whether the operation was possible just before,
/// which decides whether a race can be turned round at all.
class Listing {
 public:
  Listing(const Actor& actor, Numbering& objects, std::vector<Access>& accesses)
      : actor_(actor), operation_(actor.pending()), objects_(objects), accesses_(accesses) {}

  void append();
  void append_channels();
  void append_published();
  void append_withdrawn();
  void append_met(const SimTask& by);

 private:
  Access& add(const SimObject& object, Kind kind, std::uint8_t needs = 0) {
    return accesses_.emplace_back(Access{.object = objects_(object), .kind = kind, .needs = needs});
  }
  /// A task that releases what another one holds is apart: its own release always follows its
  /// acquisition, a foreign one races with it.
  void add_mutex(const SimObject& object, Kind kind, std::uint8_t needs = 0) {
    const auto& mutex = static_cast<const SimMutex&>(object);
    const bool foreign = kind == Kind::Release && mutex.owner() != &actor_;
    add(mutex, foreign ? Kind::ForeignRelease : kind, needs).open =
        open_when(mutex.owner() == nullptr);
  }
  /// A wait for a group passes once its count is 0.
  void add_group(Kind kind, std::uint8_t needs = 0) {
    const auto& group = static_cast<const SimWaitGroup&>(*operation_.object);
    add(group, kind, needs).open = open_when(group.count() == 0);
  }
  void add_channel(const SimChannel& channel, Kind kind, std::uint8_t needs = 0) {
    Access& access = add(channel, kind, needs);
    access.open = opening(channel, nullptr);
    access.buffered = static_cast<std::uint32_t>(channel.buffered());
    access.capacity = static_cast<std::uint32_t>(channel.capacity());
  }
  [[nodiscard]] static std::uint8_t opening(const SimChannel& channel, const SimTask* without) {
    const bool send = channel.open_to_others(without, Direction::Send);
    const bool receive = channel.open_to_others(without, Direction::Receive);
    return static_cast<std::uint8_t>((send ? Access::kEntrance : 0) |
                                     (receive ? Access::kExit : 0));
  }
  /// Which ways a gate is open; a cell has none that is closed.
  [[nodiscard]] static std::uint8_t opening_of(const SimObject& object) {
    if (object.identity().kind != ObjectKind::Gate) {
      return Access::kEntrance | Access::kExit;
    }
    const std::uint8_t open = static_cast<const SimGate&>(object).opening();
    return static_cast<std::uint8_t>(((open & SimGate::kAlone) != 0 ? Access::kEntrance : 0) |
                                     ((open & SimGate::kShared) != 0 ? Access::kExit : 0));
  }
  void append_arm(const runtime::SelectCase& arm, OperationKind kind);
  /// A poll meets only partners who may sleep, which depends on their other arms.
  void append_sleepers(const SimChannel& channel, Direction direction);
  void append_timer();
  void append_gate();
  void append_given_up(const SimTask& task);
  void append_await();
  void append_look(const IdleOperation& look, std::uint8_t needs);
  void append_by(const Rule& rule);

  const Actor& actor_;
  const Operation& operation_;
  Numbering& objects_;
  std::vector<Access>& accesses_;
};

void Listing::append() {
  switch (operation_.kind) {
    case OperationKind::Send:
    case OperationKind::Receive:
    case OperationKind::Select:
    case OperationKind::Poll:
      append_channels();
      break;
    case OperationKind::TimerFire:
      append_timer();
      break;
    case OperationKind::CondWait:
      append_given_up(static_cast<const SimTask&>(actor_));
      add(*operation_.object, Kind::WaitBegin);
      break;
    case OperationKind::GroupAdd:
      add_group(static_cast<std::int64_t>(operation_.extra) < 0 ? Kind::CountDown : Kind::CountUp);
      break;
    case OperationKind::GateChange:
    case OperationKind::GatePass:
      append_gate();
      break;
    case OperationKind::Await:
      append_await();
      break;
    case OperationKind::Exit:
      // A join needs the end itself: nothing is open before it.
      add(*operation_.object, Kind::TaskEnd).open = 0;
      break;
    default:
      append_by(kRuleOf.at(static_cast<std::size_t>(operation_.kind)));
  }
}

void Listing::append_by(const Rule& rule) {
  const SimObject* const object = operation_.object;
  switch (rule.part) {
    case Subject::Mutex:
      return add_mutex(*object, rule.kind, rule.needs);
    case Subject::SharedMutex:
      add(*object, rule.kind, rule.needs).open =
          open_when(!static_cast<const SimSharedMutex*>(object)->turn_taken());
      return;
    case Subject::Channel:
      return add_channel(static_cast<const SimChannel&>(*object), rule.kind, rule.needs);
    case Subject::Group:
      return add_group(rule.kind, rule.needs);
    case Subject::Plain:
      add(*object, rule.kind, rule.needs);
      return;
    case Subject::None:
      return;
  }
}

/// What a wait for a condition does to its lock is what an unlock does.
void Listing::append_given_up(const SimTask& task) {
  const SimObject& lock = *task.releases;
  if (lock.identity().kind == ObjectKind::Mutex) {
    add_mutex(lock, Kind::Release);
  } else {
    add(lock, task.releases_as_reader ? Kind::ReadUnlock : Kind::WriteUnlock).open =
        open_when(!static_cast<const SimSharedMutex&>(lock).turn_taken());
  }
}

/// What passes or changes a gate depends on all that happens to it. What waits for one step that
/// opens a way for good depends on that alone, as on what prompted it, and not on what is done to
/// the gate before it passes or after. So does what waits at an atomic.
void Listing::append_gate() {
  const bool passes = operation_.kind == OperationKind::GatePass;
  if (passes && operation_.extra == SimGate::kOnce) {
    return;
  }
  std::uint8_t needs = 0;
  if (passes) {
    needs = operation_.extra == SimGate::kShared ? Access::kExit : Access::kEntrance;
  }
  add(*operation_.object, Kind::Write, needs).open = opening_of(*operation_.object);
}

/// A task that spins reads all that its turn looks at: where it goes on, and where one of these has
/// changed. The first change was needed, and with further ones another might have done as well. Of
/// one that no task was left to disturb, time or the lack of others says when it comes.
void Listing::append_await() {
  if (operation_.extra == Spinning::Waits) {
    return;
  }
  const Spinning& spin = *static_cast<const SimTask&>(actor_).spinning;
  const bool waits = operation_.extra == Spinning::Changed;
  const std::size_t first = accesses_.size();
  std::uint64_t changes = 0;
  spin.visit_turn([&](const IdleOperation& look) {
    if (look.object != nullptr) {
      append_look(look, waits ? Access::kNever : std::uint8_t{0});
      changes += look.object->version() - look.version;
    }
  });
  for (std::size_t i = first; i < accesses_.size(); ++i) {
    accesses_[i].spare = changes > 1;
  }
}

void Listing::append_look(const IdleOperation& look, std::uint8_t needs) {
  switch (look.kind) {
    case OperationKind::TryLock:
      return add_mutex(*look.object, Kind::TryAcquire, needs);
    case OperationKind::Poll:
      return add_channel(static_cast<const SimChannel&>(*look.object), Kind::Touch, needs);
    case OperationKind::ChannelSize:
      return add_channel(static_cast<const SimChannel&>(*look.object), Kind::Size, needs);
    case OperationKind::TaskDone:
      add(*look.object, Kind::TaskDone, needs);
      return;
    default:
      add(*look.object, Kind::Read, needs).open = opening_of(*look.object);
  }
}

void Listing::append_timer() {
  add(actor_, Kind::TimerFire);
  // A timer of Asio has no channel: its handler is a task of its own.
  if (const auto* const timer = dynamic_cast<const SimTimer*>(&actor_)) {
    add_channel(timer->channel(), Kind::Touch);
  }
}

/// A poll depends on all that happens to its channels. A select touches all its channels, because a
/// partner that meets it at one takes it away from the others. A lone send or receive is finer:
/// into a buffer it depends on its own direction, and on the other one only by its match
/// (`Relation::Matched`); without a buffer two of one direction compete for a partner.
void Listing::append_arm(const runtime::SelectCase& arm, OperationKind kind) {
  const auto& channel = static_cast<const SimChannel&>(*arm.channel);
  const bool sends = arm.direction == Direction::Send;
  const std::uint8_t needs = sends ? Access::kEntrance : Access::kExit;
  if (kind == OperationKind::Poll) {
    add_channel(channel, Kind::Touch);
    append_sleepers(channel, arm.direction);
  } else if (kind == OperationKind::Select) {
    add_channel(channel, Kind::Touch, needs);
  } else if (channel.capacity() > 0) {
    const Kind sent = channel.closed() ? Kind::SendClosed : Kind::Send;
    add_channel(channel, sends ? sent : Kind::Receive, needs);
  } else {
    add_channel(channel, sends ? Kind::Offer : Kind::Take, needs);
  }
}

void Listing::append_sleepers(const SimChannel& channel, Direction direction) {
  if (channel.capacity() > 0) {
    return;
  }
  for (const SimTask* const partner : channel.partners_for(direction)) {
    for (const runtime::SelectCase& arm : partner->select->cases) {
      if (arm.channel != nullptr && arm.channel != &channel) {
        add_channel(static_cast<const SimChannel&>(*arm.channel), Kind::Touch);
      }
    }
  }
}

/// `spare` says that the step could have gone another way: then a race at one arm may be turned
/// round even where that arm becomes impossible, because the select takes another one.
void Listing::append_channels() {
  const std::size_t first = accesses_.size();
  for (const runtime::SelectCase& arm : static_cast<const SimTask&>(actor_).select->cases) {
    if (arm.channel != nullptr) {
      append_arm(arm, operation_.kind);
    }
  }
  for (std::size_t i = first; i < accesses_.size(); ++i) {
    for (std::size_t other = first; other < accesses_.size(); ++other) {
      const bool elsewhere = accesses_[other].object != accesses_[i].object;
      accesses_[i].spare |= elsewhere && (accesses_[other].open & accesses_[other].needs) != 0;
    }
  }
}

/// What other tasks see of a task as soon as it waits: a receiver that sleeps at a channel without
/// buffer can be sent to.
void Listing::append_published() {
  const auto& task = static_cast<const SimTask&>(actor_);
  const OperationKind kind = operation_.kind;
  if (kind == OperationKind::GroupWait) {
    add_group(Kind::GroupWaitPublished);
  }
  if (kind != OperationKind::Send && kind != OperationKind::Receive &&
      kind != OperationKind::Select) {
    return;
  }
  for (const runtime::SelectCase& arm : task.select->cases) {
    const auto* const channel = static_cast<const SimChannel*>(arm.channel);
    if (channel != nullptr && channel->capacity() == 0) {
      const bool sends = arm.direction == Direction::Send;
      add(*channel, sends ? Kind::OfferPublished : Kind::TakePublished).open =
          opening(*channel, &task);
    }
  }
}

/// What a meeting takes away from a partner's other arms: those who could have met it there cannot
/// any more, so the step of the meeting depends on them as well.
void Listing::append_withdrawn() {
  for (const runtime::SelectCase& arm : static_cast<const SimTask&>(actor_).select->cases) {
    if (arm.channel == nullptr) {
      continue;
    }
    const auto& channel = static_cast<const SimChannel&>(*arm.channel);
    // Until it was taken away, a task that waits to receive could be sent to.
    const bool sends = arm.direction == Direction::Send;
    const std::uint8_t waited = sends ? Access::kExit : Access::kEntrance;
    const std::uint8_t before = channel.capacity() == 0 ? waited : std::uint8_t{0};
    add(channel, Kind::Touch).open = static_cast<std::uint8_t>(opening(channel, nullptr) | before);
  }
}

/// The partner of a meeting makes no step of its own. What it would have done by itself is kept as
/// wanted, so that it is tried first as well.
void Listing::append_met(const SimTask& by) {
  const auto cases = static_cast<const SimTask&>(actor_).select->cases;
  const std::size_t first = accesses_.size();
  std::size_t open = 0;
  for (const runtime::SelectCase& arm : cases) {
    if (arm.channel != nullptr) {
      append_arm(arm, cases.size() == 1 ? OperationKind::Send : OperationKind::Select);
      open +=
          static_cast<const SimChannel*>(arm.channel)->open_to_others(&by, arm.direction) ? 1 : 0;
    }
  }
  for (std::size_t i = first; i < accesses_.size(); ++i) {
    accesses_[i].spare = open > 0;
  }
}

}  // namespace

std::uint32_t Numbering::operator()(const SimObject& object) {
  const auto [found, added] =
      numbers_.try_emplace(object.digest(), static_cast<std::uint32_t>(digests_.size()));
  if (added) {
    digests_.push_back(object.digest());
  }
  return found->second;
}

void append_accesses(const Actor& actor, Numbering& objects, std::vector<Access>& accesses) {
  Listing(actor, objects, accesses).append();
}

void append_wanted(const SimTask& task, Numbering& objects, std::vector<Access>& accesses) {
  // A task that waits in a condition has nothing pending: another task must wake it first.
  if (task.pending().kind != OperationKind::CondWait) {
    Listing(task, objects, accesses).append();
  }
}

void append_arrival(const SimTask& task, Numbering& objects, std::vector<Access>& accesses) {
  Listing(task, objects, accesses).append_published();
}

void append_timed_arrival(const SimTask& task, Numbering& objects, std::vector<Access>& accesses) {
  const Operation& pending = task.pending();
  if (pending.kind == OperationKind::GatePass &&
      pending.object->identity().kind == ObjectKind::Gate &&
      static_cast<const SimGate*>(pending.object)->has_deadline(task)) {
    accesses.push_back({.object = objects(*pending.object), .kind = Kind::Read});
  }
}

/// A task that sleeps waits for nothing else. What waits at a gate leaves it to those that are not
/// due; what waits in a condition may still be notified until it takes its step.
void append_jump(const VirtualClock& clock, Numbering& objects, std::vector<Access>& accesses) {
  accesses.push_back({.object = Access::kTime, .kind = Kind::TimePass, .needs = Access::kEntrance});
  clock.visit_next([&](const Actor& actor) {
    const Operation& pending = actor.pending();
    if (!actor.is_task()) {
      accesses.push_back({.object = objects(actor), .kind = Kind::TimerFire});
    } else if (pending.kind == OperationKind::CondWait) {
      accesses.push_back({.object = objects(*pending.object), .kind = Kind::WaitTimeout});
    } else if (pending.kind == OperationKind::GatePass) {
      accesses.push_back({.object = objects(*pending.object), .kind = Kind::Write});
    }
  });
}

void append_withdrawal(const SimTask& partner, Numbering& objects, std::vector<Access>& accesses) {
  Listing(partner, objects, accesses).append_withdrawn();
}

void append_met(const SimTask& partner, const SimTask& by, Numbering& objects,
                std::vector<Access>& accesses) {
  Listing(partner, objects, accesses).append_met(by);
}

}  // namespace watchlab::sim
