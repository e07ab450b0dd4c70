#include "sim/explore/access.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "sim/kernel/sim_channel.hpp"
#include "sim/kernel/sim_mutex.hpp"
#include "sim/kernel/sim_shared_mutex.hpp"
#include "sim/kernel/sim_timer.hpp"
#include "sim/kernel/sim_wait_group.hpp"

namespace watchlab::sim {
namespace {

using Direction = runtime::SelectCase::Direction;
using Kind = AccessKind;

constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::TimeSee) + 1;

struct Row {
  Kind kind;
  std::initializer_list<Kind> against;
};

constexpr std::array<std::uint64_t, kKinds> symmetric(std::initializer_list<Row> rows) {
  std::array<std::uint64_t, kKinds> table{};
  for (const Row& row : rows) {
    for (const Kind other : row.against) {
      const auto a = static_cast<std::size_t>(row.kind);
      const auto b = static_cast<std::size_t>(other);
      table[a] |= std::uint64_t{1} << b;
      table[b] |= std::uint64_t{1} << a;
    }
  }
  return table;
}

/// Which kinds depend on which; what is not listed commutes. Two notifications depend on each other
/// because the wake-up comes from the first; two releases of a lock never meet. A step that retires
/// a timer depends on its firing alone: it cannot come before a use of the timer, which would be a
/// use of what is gone.
constexpr auto kFull = symmetric({
    {Kind::Acquire, {Kind::Acquire, Kind::TryAcquire, Kind::Release, Kind::ForeignRelease}},
    {Kind::TryAcquire, {Kind::TryAcquire, Kind::Release, Kind::ForeignRelease}},
    {Kind::ForeignRelease, {Kind::Release, Kind::ForeignRelease}},
    {Kind::Notify, {Kind::WaitBegin, Kind::WaitTimeout, Kind::Notify}},
    {Kind::Send, {Kind::Send}},
    {Kind::Receive, {Kind::Receive}},
    {Kind::Offer, {Kind::Offer, Kind::Take, Kind::TakePublished}},
    {Kind::Take, {Kind::Take, Kind::OfferPublished}},
    {Kind::Touch,
     {Kind::Send, Kind::Receive, Kind::Offer, Kind::Take, Kind::OfferPublished, Kind::TakePublished,
      Kind::Touch, Kind::Size, Kind::SendClosed}},
    {Kind::Size, {Kind::Send, Kind::Receive}},
    // As a send, which it may be before the close; but no receive has made room for it.
    {Kind::SendClosed, {Kind::Send, Kind::SendClosed, Kind::Size}},
    {Kind::ReadLock, {Kind::WriteLock, Kind::WriteUnlock}},
    {Kind::ReadUnlock, {Kind::WriteLock, Kind::WriteGranted}},
    {Kind::WriteLock, {Kind::WriteLock, Kind::WriteUnlock}},
    {Kind::WriteUnlock, {Kind::ReadGranted}},
    {Kind::CountUp, {Kind::CountDown, Kind::GroupWait, Kind::GroupWaitPublished}},
    {Kind::CountDown, {Kind::GroupWait, Kind::GroupWaitPublished}},
    {Kind::TaskEnd, {Kind::TaskJoin, Kind::TaskDone}},
    {Kind::TimerUse, {Kind::TimerUse, Kind::TimerFire}},
    {Kind::TimerFire, {Kind::TimerFire, Kind::TimerRetire}},
    {Kind::Write, {Kind::Read, Kind::Write}},
    {Kind::TimePass, {Kind::TimePass, Kind::TimeSee}},
});

constexpr std::uint64_t bit(Kind kind) {
  return std::uint64_t{1} << static_cast<std::size_t>(kind);
}

constexpr std::uint64_t kTotal = bit(Kind::Acquire) | bit(Kind::TryAcquire) |
                                 bit(Kind::ForeignRelease) | bit(Kind::Notify) | bit(Kind::Touch) |
                                 bit(Kind::WriteLock) | bit(Kind::TimerFire) | bit(Kind::Write) |
                                 bit(Kind::TimePass);

std::uint8_t open_when(bool open) { return open ? Access::kEntrance : 0; }

/// Builds the accesses of one operation.
/// What an operation may touch is asked before it is done, because then the state that it needs can
/// be seen: whether the lock is free, how much is buffered. So `open` and `needs` of an access say
/// whether the operation was possible just before, which decides whether a race can be turned round
/// at all.
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
  void add_mutex(const SimObject& object, Kind kind, std::uint8_t needs = 0) {
    const auto& mutex = static_cast<const SimMutex&>(object);
    const bool foreign = kind == Kind::Release && mutex.owner() != &actor_;
    add(mutex, foreign ? Kind::ForeignRelease : kind, needs).open =
        open_when(mutex.owner() == nullptr);
  }
  void add_shared_mutex(Kind kind, std::uint8_t needs = 0) {
    const auto& mutex = static_cast<const SimSharedMutex&>(*operation_.object);
    add(mutex, kind, needs).open = open_when(!mutex.turn_taken());
  }
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
  void append_arm(const runtime::SelectCase& arm, OperationKind kind);
  /// A poll meets only partners who may sleep, which depends on their other arms.
  void append_sleepers(const SimChannel& channel, Direction direction);
  void append_timer();
  void append_lock();
  void append_other();

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
      add_mutex(*static_cast<const SimTask&>(actor_).releases, Kind::Release);
      add(*operation_.object, Kind::WaitBegin);
      break;
    default:
      append_lock();
  }
}

void Listing::append_lock() {
  switch (operation_.kind) {
    case OperationKind::Lock:
    case OperationKind::Relock:
      return add_mutex(*operation_.object, Kind::Acquire, Access::kEntrance);
    case OperationKind::TryLock:
      return add_mutex(*operation_.object, Kind::TryAcquire);
    case OperationKind::Unlock:
      return add_mutex(*operation_.object, Kind::Release);
    case OperationKind::ReadLock:
      return add_shared_mutex(Kind::ReadLock);
    case OperationKind::ReadGranted:
      return add_shared_mutex(Kind::ReadGranted, Access::kNever);
    case OperationKind::ReadUnlock:
      return add_shared_mutex(Kind::ReadUnlock);
    case OperationKind::WriteLock:
      return add_shared_mutex(Kind::WriteLock, Access::kEntrance);
    case OperationKind::WriteGranted:
      return add_shared_mutex(Kind::WriteGranted, Access::kNever);
    case OperationKind::WriteUnlock:
      return add_shared_mutex(Kind::WriteUnlock);
    default:
      append_other();
  }
}

void Listing::append_other() {
  const auto& object = operation_.object;
  switch (operation_.kind) {
    case OperationKind::CondTimeout:
      add(*object, Kind::WaitTimeout);
      break;
    case OperationKind::NotifyOne:
    case OperationKind::NotifyAll:
      add(*object, Kind::Notify);
      break;
    case OperationKind::Close:
      add_channel(static_cast<const SimChannel&>(*object), Kind::Touch);
      break;
    case OperationKind::ChannelSize:
      add_channel(static_cast<const SimChannel&>(*object), Kind::Size);
      break;
    case OperationKind::GroupAdd:
      add_group(static_cast<std::int64_t>(operation_.extra) < 0 ? Kind::CountDown : Kind::CountUp);
      break;
    case OperationKind::GroupWait:
      add_group(Kind::GroupWait, Access::kEntrance);
      break;
    case OperationKind::Exit:
      add(*object, Kind::TaskEnd).open = 0;
      break;
    case OperationKind::Join:
      add(*object, Kind::TaskJoin, Access::kNever);
      break;
    case OperationKind::TaskDone:
      add(*object, Kind::TaskDone);
      break;
    case OperationKind::TimerStop:
    case OperationKind::TimerReset:
      add(*object, Kind::TimerUse);
      break;
    case OperationKind::AtomicRead:
      add(*object, Kind::Read);
      break;
    case OperationKind::AtomicWrite:
    case OperationKind::AtomicUpdate:
      add(*object, Kind::Write);
      break;
    default:
      break;  // start, continue, sleep, yield: nobody else's business
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

void Listing::append_withdrawn() {
  for (const runtime::SelectCase& arm : static_cast<const SimTask&>(actor_).select->cases) {
    if (arm.channel == nullptr) {
      continue;
    }
    const auto& channel = static_cast<const SimChannel&>(*arm.channel);
    // Until it was taken away, whoever waits to receive was somebody to send to.
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

Relation relation(AccessKind a, AccessKind b) {
  if ((kFull[static_cast<std::size_t>(a)] & bit(b)) != 0) {
    return Relation::Full;
  }
  const bool matched =
      (a == Kind::Send && b == Kind::Receive) || (a == Kind::Receive && b == Kind::Send);
  return matched ? Relation::Matched : Relation::None;
}

bool depends_on_unknown(AccessKind kind, bool can_meet) {
  constexpr std::uint64_t kArrival = bit(Kind::Offer) | bit(Kind::Take) | bit(Kind::Touch) |
                                     bit(Kind::CountUp) | bit(Kind::CountDown);
  constexpr std::uint64_t kMeeting = bit(Kind::Send) | bit(Kind::Receive) | bit(Kind::Size) |
                                     bit(Kind::SendClosed) | bit(Kind::OfferPublished) |
                                     bit(Kind::TakePublished);
  return ((can_meet ? kArrival | kMeeting : kArrival) & bit(kind)) != 0;
}

bool is_total(AccessKind kind) { return (kTotal & bit(kind)) != 0; }

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
  // A task that waits in a condition has nothing pending: somebody must wake it first.
  if (task.pending().kind != OperationKind::CondWait) {
    Listing(task, objects, accesses).append();
  }
}

void append_arrival(const SimTask& task, Numbering& objects, std::vector<Access>& accesses) {
  Listing(task, objects, accesses).append_published();
}

void append_withdrawal(const SimTask& partner, Numbering& objects, std::vector<Access>& accesses) {
  Listing(partner, objects, accesses).append_withdrawn();
}

void append_met(const SimTask& partner, const SimTask& by, Numbering& objects,
                std::vector<Access>& accesses) {
  Listing(partner, objects, accesses).append_met(by);
}

}  // namespace watchlab::sim
