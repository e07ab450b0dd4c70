#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sim/kernel/operation.hpp"

namespace watchlab::sim {

class Actor;
class Scheduler;
struct RunResult;

/// What a decision is about. The values are part of every digest: add at the end only.
enum class ChoiceKind : std::uint8_t {
  Actor,     ///< who goes next
  Waiter,    ///< which waiter a notify_one wakes
  Case,      ///< which of several ready arms of a select
  Partner,   ///< which of several waiting tasks a rendezvous meets
  Parked,    ///< whether a waiting partner of a polling select had parked already
  Order,     ///< how to visit what has no promised order
  Value,     ///< a choice that core or a story declares
  Advance,   ///< whether virtual time jumps while tasks are ready
  Handover,  ///< to whom a mutex is handed over whose waiters starve
  Memory,    ///< which store an access meets where memory is weak
  Spurious,  ///< whether a wait ends, or an exchange fails, without a cause; with weak memory
};

[[nodiscard]] std::string_view to_string(ChoiceKind kind);

/// A decision that the outside has to make: an index below `options`, where 0 is always the
/// default alternative that the `fifo` strategy takes.
struct Choice {
  /// Handovers are numbered by themselves, from here on.
  static constexpr std::uint32_t kHandoversFrom = 1'000'000'000;
  /// So are early advances that follow on one another, without a step between them.
  static constexpr std::uint32_t kAdvancesFrom = 2'000'000'000;
  /// And whether a task goes on that polls and reads the clock between its looks.
  static constexpr std::uint32_t kTimedLoopsFrom = 3'000'000'000;

  ChoiceKind kind = ChoiceKind::Actor;
  std::uint32_t options = 1;  ///< at least 2
  /// The actor at the decision, and the number of the decision: for ChoiceKind::Actor the number of
  /// visible operations that it has published, otherwise the number of other choices it has met.
  /// Together with the kind this is the decision's address in a schedule.
  const Actor* at = nullptr;
  std::uint32_t ordinal = 0;
  std::string_view what;  ///< for people
  /// Whom each alternative stands for, where it is a choice among tasks: of Waiter and Partner. The
  /// order of alternatives is that of arrival, which differs between equivalent runs.
  std::span<const Actor* const> candidates = {};
  /// Of Memory: which alternatives what other tasks did has made impossible, 1 for each that is. To
  /// take such a one comes to the default. They are counted, so that the others keep their numbers
  /// in runs in which independent steps come in another order.
  const std::uint8_t* impossible = nullptr;

  [[nodiscard]] bool is_possible(std::uint32_t index) const {
    return impossible == nullptr || impossible[index] == 0;
  }
};

/// Decides. One strategy object serves many runs, one after the other, on one thread. A strategy
/// must be a function of its own options, of earlier runs and of what this interface shows it.
class Strategy {
 public:
  /// An answer that ends the run at once, without a failure: nothing new is to be seen here.
  static constexpr std::uint32_t kAbandon = UINT32_MAX;

  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  virtual ~Strategy() = default;

  /// Before the `run`-th run, counted from 0. False when there is nothing left to explore.
  [[nodiscard]] virtual bool prepare(std::size_t /*run*/) { return true; }
  /// Whether each run shall have a world seed of its own; false where runs must be comparable.
  [[nodiscard]] virtual bool varies_seed() const { return false; }
  /// A run begins. The scheduler stays valid until `end`.
  virtual void begin(const Scheduler& scheduler) { scheduler_ = &scheduler; }
  /// Called for every decision with at least two options, and for those of a strategy that
  /// `asks_for_single_actor` with one.
  [[nodiscard]] virtual std::uint32_t choose(const Choice& choice) = 0;
  /// Whether `choose` shall also be called for who goes next when only one can, and for a jump of
  /// time when none can, so that a strategy can abandon the run there. Asked once a run.
  [[nodiscard]] virtual bool asks_for_single_actor() const { return false; }
  /// Whether `choose` may ever say who goes next other than the default one; if not, it is not
  /// asked who. Asked once a run.
  [[nodiscard]] virtual bool reorders() const { return true; }
  /// Whether `executed` and `idle` shall be called; asked once a run.
  [[nodiscard]] virtual bool observes() const { return false; }
  /// `actor` is about to carry out its pending operation. There was a decision before, unless it is
  /// the first or the last step of a task, or an operation while an exception is in flight.
  virtual void executed(const Actor& /*actor*/) {}
  /// A timer is taken apart by the step that was `executed` last, due or not. Only to observers.
  virtual void retired(const Actor& /*timer*/) {}
  /// The step that was `executed` last looks at the clock, or sets or stops a deadline. Only to
  /// observers.
  virtual void timed() {}
  /// No actor is ready: time is about to jump, or the run to end with those who wait.
  virtual void idle() {}
  virtual void end(const RunResult& /*result*/) {}
  /// After a run: whether it was one that this strategy has played before, so that it counts for
  /// nothing.
  [[nodiscard]] virtual bool repeated() const { return false; }

 protected:
  /// Of the run that has begun.
  [[nodiscard]] const Scheduler& scheduler() const { return *scheduler_; }
  /// The option with this identity at a decision who goes next; `kAbandon` where there is none.
  [[nodiscard]] std::uint32_t option_of(std::uint64_t actor, std::uint32_t options) const;

 private:
  const Scheduler* scheduler_ = nullptr;
};

}  // namespace watchlab::sim
