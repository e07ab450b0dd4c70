#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/explore/dfs_strategy.hpp"
#include "sim/explore/event_log.hpp"
#include "sim/explore/happens_before.hpp"
#include "sim/explore/wakeup_tree.hpp"

namespace watchlab::sim {

/// Dynamic partial-order reduction. Runs that differ only in the order of independent steps form a
/// class, and it plays one run of each class (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic
/// Partial Order Reduction, POPL 2014; Source Sets, JACM 2017). Every deadlock and everything that
/// a task can observe is still found, provided that tasks share data only through the runtime, that
/// equal schedules give equal runs, and that no failure ends a run early. It cannot be used for
/// handlers of Asio, which share data without the runtime.
///
/// After each run it looks for races: two dependent events, with nothing between them, that could
/// have come in the other order. For each race, the node before it gets a new beginning to explore.
/// An actor that has been explored at a node sleeps until a step comes that depends on its step; a
/// run in which all ready actors sleep shows nothing new and is abandoned.
///
/// *Source sets* remember only the first actor of a beginning, so some runs are abandoned late.
/// *Wake-up trees* remember the whole sequence up to the reversed race, and then no run is
/// abandoned at all, except where an operation turns out to be impossible in the other order, which
/// is seen only by trying.
///
/// *Time.* Where time may pass early, at most k times in a run, the jump of time is a step of an
/// actor of its own, the clock. It depends on what touches time, which `Strategy::timed` reports,
/// and on what those do who wait for the deadline. How many jumps come early is no property of a
/// class of runs, so a bound on them alone would lose classes. But the order of jumps is one, so
/// they have numbers, and in each class there is a run in which all jumps come as late as they can.
/// So for each set of at most k numbers there is one search in which those jumps may come early,
/// and all others only when no actor is ready, after everything before them: together that are all
/// runs with at most k early jumps. A run in which not all jumps of its set came early is one of a
/// smaller set, too: it says `repeated`. `early_sets_` are the sets to come; a set grows by a
/// number at which its runs have shown a deadline.
///
/// Choices within a step (which waiter, which case, values …) are part of it: each alternative is
/// explored where the step first comes. A *label* numbers what a step chooses within.
///
/// By the names of the paper: E is the present run and E' the part before its i-th event, which is
/// `nodes_[i]`; backtrack(E') or wut(E') is `Node::todo`; sleep(E') are the sleepers of the node
/// from `sleep_begin` on, of which those from `sleep_own` to `sleep_end` are done(E'). A race
/// (e, e') is `Race::first` and `second`, so pre(E, e) is `nodes_[race.first]`, and v, the sequence
/// that reverses it, is `sequence_`.
///
/// The order of calls: `prepare` goes back to the last node that has something to do
/// (`drop_sleeping` takes away what sleeps there) and plans it; in the run `choose` replays up to
/// there (`known_option`) and then takes the first actor that does not sleep (`grow`, in which
/// `inherit_sleep` says who sleeps), and `executed` writes the `EventLog`; `end` orders its events
/// and finds the races (`HappensBefore::extend`), and `reverse` adds to the nodes before them what
/// begins the other way round (`gather` the sequence; `add_beginning` with source sets,
/// `add_sequence` with wake-up trees).
class DporStrategy final : public TreeSearch {
 public:
  enum class Mode : std::uint8_t { SourceSets, WakeupTrees };

  /// `early_advances_max`: how often time may jump in a run while actors are ready.
  explicit DporStrategy(Mode mode, int early_advances_max = 0);

  [[nodiscard]] bool prepare(std::size_t run) override;
  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  [[nodiscard]] bool asks_for_single_actor() const override { return true; }
  [[nodiscard]] bool observes() const override { return true; }
  void executed(const Actor& actor) override;
  void retired(const Actor& timer) override { log_.retired(timer); }
  void timed() override { log_.timed(); }
  void idle() override;
  void end(const RunResult& result) override;
  [[nodiscard]] bool repeated() const override { return early_jumps_ < log_.early().size(); }

  /// Based on what is known so far; further runs may show that there is more.
  [[nodiscard]] double explored() const override;
  [[nodiscard]] bool holds_time_back() const override { return holds_time_back_; }
  [[nodiscard]] bool compares_objects() const override { return true; }

  /// The last run, for reports and tests.
  [[nodiscard]] const EventLog& log() const { return log_; }
  [[nodiscard]] const HappensBefore& order() const { return order_; }

 private:
  /// No choice; as an answer of `choose` it abandons the run.
  static constexpr std::uint32_t kUnknown = kAbandon;
  /// Represents the clock among those that could go next.
  static constexpr std::uint32_t kClockOption = kAbandon - 1;

  /// The state before an event of the current run.
  struct Node {
    std::uint32_t actor = 0;
    std::uint32_t option = kUnknown;         ///< chosen to go next
    std::uint32_t label = 0;                 ///< what it shall choose within the step
    std::uint32_t todo = WakeupTree::kNone;  ///< what remains to be explored from here
    std::uint32_t planned = kUnknown;        ///< the footprint that the step had in its plan
    bool wakes_all = false;                  ///< no actor sleeps after the step
    std::size_t sleep_begin = 0;             ///< in `sleepers_`
    std::size_t sleep_own = 0;               ///< from here on: explored at this node
    std::size_t sleep_end = 0;
  };
  /// A step that has been explored and would only be repeated.
  struct Sleeper {
    std::uint32_t actor;
    std::uint32_t label;
    std::uint32_t footprint;
  };
  /// One step of a sequence that reverses a race.
  struct Step {
    /// `Event::kNone` for the last step, whose choices at its new place are not known.
    std::uint32_t event = Event::kNone;
    std::uint32_t actor = 0;
    std::uint32_t label = 0;
    std::uint32_t footprint = 0;
    OperationKind kind = OperationKind::Start;
    bool precedes_last = false;
    bool certain = true;  ///< whether it is certainly possible there
  };
  enum class Fit : std::uint8_t { No, Contained, Independent };

  [[nodiscard]] bool backtrack();
  [[nodiscard]] bool begin_next_set();
  [[nodiscard]] std::uint32_t choose_actor(const Choice& choice);
  [[nodiscard]] std::uint32_t choose_jump(const Choice& choice);
  [[nodiscard]] std::uint32_t choose_value(const Choice& choice);
  [[nodiscard]] std::uint32_t known_option(Node& node, std::uint32_t options);
  [[nodiscard]] std::uint32_t grow(std::uint32_t options);
  void plan(Node& node, const WakeupTree::Branch& branch);
  [[nodiscard]] std::uint32_t follow(Node& node, std::uint32_t options);
  [[nodiscard]] std::uint32_t option_of(std::uint32_t actor, std::uint32_t options);
  [[nodiscard]] bool sleeps(const Node& node, std::uint32_t actor) const;
  void drop_sleeping(Node& node);
  void inherit_sleep(Node& node, std::size_t depth);
  [[nodiscard]] bool is_done(const Node& node, std::uint32_t actor, std::uint32_t label) const;
  [[nodiscard]] std::size_t end_of_sleeper(std::size_t first, std::size_t end) const;
  [[nodiscard]] bool is_woken(std::size_t first, std::size_t end, std::uint32_t footprint) const;
  [[nodiscard]] bool may_be_woken(std::size_t first, std::size_t end, const Step& step);

  void forget_from(std::size_t kept);
  [[nodiscard]] bool reverse(const Race& race);
  [[nodiscard]] bool is_missed(const Race& race) const;
  void gather(const Race& race);
  [[nodiscard]] bool is_jump_to_nothing(const Race& race) const;
  void mark_predecessors(const Event& first, const Event& last,
                         std::span<const std::uint32_t> clock);
  [[nodiscard]] bool may_touch_time(const Step& step, const Event& last) const;
  void add_beginning(Node& node);
  [[nodiscard]] bool add_sequence(Node& node);
  void add_alternative(std::uint32_t event, std::uint32_t label);
  [[nodiscard]] bool is_covered_by_sleep(const Node& node, bool& settled);
  void note_alternatives();
  [[nodiscard]] Fit fit(std::uint32_t actor, std::uint32_t label, std::uint32_t footprint,
                        std::size_t& at);
  [[nodiscard]] bool is_initial(std::size_t at) const;
  void append_rest(std::uint32_t& list);

  Mode mode_;
  std::uint32_t early_advances_max_;
  std::vector<std::vector<std::uint32_t>> early_sets_;
  std::size_t sets_done_ = 0;
  std::uint32_t jumps_end_ = 0;   ///< no run of this set has a deadline after this many jumps
  std::size_t early_jumps_ = 0;   ///< in the last run
  bool holds_time_back_ = false;  ///< a larger set would have shown more
  EventLog log_;
  HappensBefore order_;
  WakeupTree tree_;
  std::vector<Node> nodes_;
  std::vector<Sleeper> sleepers_;
  bool started_ = false;
  std::uint32_t guide_ = WakeupTree::kNone;  ///< what the next node has to explore
  bool stuck_ = false;                       ///< the last node has no actor to continue with
  std::size_t noted_ = 0;
  std::vector<Step> sequence_;
  bool doubtful_ = false;    ///< a skipped step may cover the sequence
  std::vector<Race> races_;  ///< of the last run
  /// Alternatives to steps of the current run: the event, and a label for it.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> alternatives_;
  /// What the current event cannot choose: which of its choices, and the alternative.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> impossible_;
  std::vector<std::uint32_t> scratch_;
};

}  // namespace watchlab::sim
