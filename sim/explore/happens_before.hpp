#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/explore/event_log.hpp"

namespace watchlab::sim {

/// Two events that depend on each other with nothing between them, and that could have come the
/// other way round.
struct Race {
  std::uint32_t first = 0;   ///< an event
  std::uint32_t second = 0;  ///< an event, or an entry of `EventLog::wanted`
  bool wanted = false;       ///< which of the two
  bool certain = false;      ///< whether the second was surely possible before the first
  bool settled = false;      ///< whether it need not be looked at again in later runs
};

/// The happens-before order of a recorded run, as vector clocks, and its races. Grows with the log
/// and shrinks with it, so that what two runs begin with is worked out once.
class HappensBefore {
 public:
  /// Takes in what the log has beyond what is known, and appends the races of the new part.
  void extend(const EventLog& log, std::vector<Race>& races);
  /// Forgets all events from `kept` on. Call it before the log forgets them.
  void truncate(const EventLog& log, std::size_t kept);

  /// Whether the event `earlier` happens before the event `later`; each before itself.
  [[nodiscard]] bool before(const EventLog& log, std::uint32_t earlier, std::uint32_t later) const {
    return is_in(log.events()[earlier], clock(later));
  }
  /// By actor, how many of its events happen before this one, with this one.
  [[nodiscard]] std::span<const std::uint32_t> clock(std::uint32_t event) const {
    return std::span(clocks_).subspan(event * width_, width_);
  }
  [[nodiscard]] std::span<const std::uint32_t> clock_wanted(std::uint32_t wanted) const {
    return std::span(wanted_clocks_).subspan(wanted * width_, width_);
  }
  [[nodiscard]] static bool is_in(const Event& event, std::span<const std::uint32_t> clock) {
    return clock[event.actor] >= event.index;
  }

 private:
  struct Entry {
    std::uint32_t event;
    Access access;
  };
  /// An earlier event on which the one at hand depends, by that object.
  struct Candidate {
    std::uint32_t event;
    std::uint32_t object;
    bool reversible = false;   ///< the later one was possible just before it
    bool worth_a_try = false;  ///< or it may have been
    bool was_needed = false;   ///< it was not
  };

  void widen(const EventLog& log);
  void begin_clock(const EventLog& log, const Event& event);
  void find_dependent(const EventLog& log, const Event& event);
  void scan(const EventLog& log, const Event& event, const Access& access);
  void scan_matched(const Access& access);
  void add_candidate(const Candidate& candidate);
  void leave_disabling(std::uint32_t event);
  [[nodiscard]] bool stands_between(const EventLog& log, const Candidate& between,
                                    const Candidate& first, OperationKind second) const;
  /// Whether anything stands between the candidate and the event at hand.
  [[nodiscard]] bool is_covered(const EventLog& log, const Candidate& first,
                                OperationKind second) const;
  void report(const EventLog& log, Race race, std::vector<Race>& races) const;
  void end_clock(const Event& event);
  void join(std::span<const std::uint32_t> clock);

  std::size_t width_ = 0;  ///< of a clock
  std::size_t known_ = 0;
  std::vector<std::uint32_t> clocks_;
  std::vector<std::uint32_t> wanted_clocks_;
  std::vector<std::uint32_t> now_;             ///< the clock that is being made
  std::vector<std::vector<Entry>> histories_;  ///< by object: who has accessed it
  std::vector<Candidate> candidates_;
  bool needs_nothing_ = false;  ///< the event at hand is possible whatever the others have done
};

}  // namespace watchlab::sim
