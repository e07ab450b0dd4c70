#include <array>
#include <initializer_list>

#include "sim/explore/access.hpp"

// Partial-order reduction (JACM 2017, section 2) asks of two steps only whether they depend on each
// other: whether their order can make a difference. What a step does is therefore taken apart into
// accesses, each to one object, and two steps depend where two of their accesses do. The finer the
// kinds of access, the fewer orders are explored; but a dependency that is missing loses runs, so
// only what commutes in every state is left out of the table.

namespace watchlab::sim {
namespace {

using Kind = AccessKind;

constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::TimeSee) + 1;

struct Dependence {
  Kind kind;
  std::initializer_list<Kind> against;
};

constexpr std::array<std::uint64_t, kKinds> symmetric(std::initializer_list<Dependence> rows) {
  std::array<std::uint64_t, kKinds> table{};
  for (const Dependence& row : rows) {
    for (const Kind other : row.against) {
      const auto a = static_cast<std::size_t>(row.kind);
      const auto b = static_cast<std::size_t>(other);
      table[a] |= std::uint64_t{1} << b;
      table[b] |= std::uint64_t{1} << a;
    }
  }
  return table;
}

/// Which kinds depend on which; what is not listed commutes. Each row holds in both directions. Two
/// notifications depend on each other because the wake-up comes from the first; two releases of a
/// lock never meet. A step that retires a timer depends on its firing alone: it cannot come before
/// a use of the timer, which would be a use of what is gone.
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

/// After one of these, nothing that came before it on the object can race any more: it depends on
/// all kinds that may follow, so it stands between.
constexpr std::uint64_t kTotal = bit(Kind::Acquire) | bit(Kind::TryAcquire) |
                                 bit(Kind::ForeignRelease) | bit(Kind::Notify) | bit(Kind::Touch) |
                                 bit(Kind::WriteLock) | bit(Kind::TimerFire) | bit(Kind::Write) |
                                 bit(Kind::TimePass);

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

bool depends_on_unknown_of_time(AccessKind kind) {
  constexpr std::uint64_t kTimed = bit(Kind::TimePass) | bit(Kind::Read) | bit(Kind::Write) |
                                   bit(Kind::Notify) | bit(Kind::TimerUse) | bit(Kind::TimerFire) |
                                   bit(Kind::TimerRetire);
  return (kTimed & bit(kind)) != 0;
}

bool is_total(AccessKind kind) { return (kTotal & bit(kind)) != 0; }

}  // namespace watchlab::sim
