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

/// What a decision is about. The values are part of every digest: add new ones at the end only.
enum class ChoiceKind : std::uint8_t {
  Actor,     ///< who goes next
  Waiter,    ///< which waiter a notify_one wakes
  Case,      ///< which of several ready arms of a select
  Partner,   ///< which of several waiting tasks a rendezvous meets
  Parked,    ///< whether a waiting partner of a polling select had parked already
  Order,     ///< how to visit a container without an order
  Value,     ///< a choice that core or a story declares
  Advance,   ///< whether virtual time jumps while tasks are ready
  Handover,  ///< to whom a mutex is handed over if its waiters starve
  Memory,    ///< which store an access uses with weak memory
  Spurious,  ///< whether a wait or exchange fails spuriously; with weak memory
};

[[nodiscard]] std::string_view to_string(ChoiceKind kind);

/// A decision to make: an index below `options`, where 0 is the default alternative, which the
/// `fifo` strategy takes.
struct Choice {
  /// Handovers have their own numbers, starting here.
  static constexpr std::uint32_t kHandoversFrom = 1'000'000'000;
  /// So do early time jumps that follow each other without a step in between.
  static constexpr std::uint32_t kAdvancesFrom = 2'000'000'000;
  /// And decisions whether a task goes on that polls and reads the clock.
  static constexpr std::uint32_t kTimedLoopsFrom = 3'000'000'000;

  ChoiceKind kind = ChoiceKind::Actor;
  std::uint32_t options = 1;  ///< at least 2
  /// The actor at the decision, and the number of the decision: for ChoiceKind::Actor the number of
  /// visible operations that it has published, otherwise the number of other choices that it has
  /// had. Together with the kind, this is the decision's address in a schedule.
  const Actor* at = nullptr;
  std::uint32_t ordinal = 0;
  std::string_view what;  ///< for people
  /// The task of each alternative, for a choice among tasks: for Waiter and Partner. Alternatives
  /// are in order of arrival, which differs between equivalent runs.
  std::span<const Actor* const> candidates = {};
  /// For Memory: which alternatives are impossible because of what other tasks did (1 for each).
  /// Choosing one of them gives the default. They are counted so that the others keep their numbers
  /// in runs in which independent steps come in another order.
  const std::uint8_t* impossible = nullptr;

  [[nodiscard]] bool is_possible(std::uint32_t index) const {
    return impossible == nullptr || impossible[index] == 0;
  }
};

/// Makes the decisions. One strategy object serves many runs, one after the other, on one thread. A
/// strategy must be a function of its own options, of earlier runs and of what this interface shows
/// it.
class Strategy {
 public:
  /// An answer that ends the run at once, without a failure: there is nothing new to see.
  static constexpr std::uint32_t kAbandon = UINT32_MAX;

  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  virtual ~Strategy() = default;

  /// Called before the `run`-th run, counted from 0. Returns false if nothing is left to explore.
  [[nodiscard]] virtual bool prepare(std::size_t /*run*/) { return true; }
  /// Whether each run gets its own world seed; false if runs must be comparable.
  [[nodiscard]] virtual bool varies_seed() const { return false; }
  /// A run starts. The scheduler stays valid until `end`.
  virtual void begin(const Scheduler& scheduler) { scheduler_ = &scheduler; }
  /// Called for every decision with at least two options, and, if the strategy
  /// `asks_for_single_actor`, also with one.
  [[nodiscard]] virtual std::uint32_t choose(const Choice& choice) = 0;
  /// Whether to call `choose` even if only one actor can go next, and for a time jump if none can,
  /// so that a strategy can abandon the run there. Queried once per run.
  [[nodiscard]] virtual bool asks_for_single_actor() const { return false; }
  /// Whether `choose` may ever pick anyone but the default actor; if not, it is not called for
  /// that. Queried once per run.
  [[nodiscard]] virtual bool reorders() const { return true; }
  /// Whether to call `executed` and `idle`; queried once per run.
  [[nodiscard]] virtual bool observes() const { return false; }
  /// `actor` is about to perform its pending operation. There was a decision before, unless it is
  /// the first or last step of a task, or an operation while an exception is in flight.
  virtual void executed(const Actor& /*actor*/) {}
  /// The step that was `executed` last removes a timer, due or not. Only for observers.
  virtual void retired(const Actor& /*timer*/) {}
  /// The step that was `executed` last reads the clock, or sets or stops a deadline. Only for
  /// observers.
  virtual void timed() {}
  /// No actor is ready: time is about to jump, or the run to end with waiting tasks.
  virtual void idle() {}
  virtual void end(const RunResult& /*result*/) {}
  /// After a run: whether this strategy has played it before, so that it does not count.
  [[nodiscard]] virtual bool repeated() const { return false; }

 protected:
  /// For the run that has started.
  [[nodiscard]] const Scheduler& scheduler() const { return *scheduler_; }
  /// The option with this identity in a decision about who goes next; `kAbandon` if there is none.
  [[nodiscard]] std::uint32_t option_of(std::uint64_t actor, std::uint32_t options) const;

 private:
  const Scheduler* scheduler_ = nullptr;
};

}  // namespace watchlab::sim
