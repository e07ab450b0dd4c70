#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/explore/event_log.hpp"

namespace watchlab::sim {

/// Two dependent events with nothing between them, which could have come in the other order.
struct Race {
  std::uint32_t first = 0;   ///< an event
  std::uint32_t second = 0;  ///< an event, or an entry of `EventLog::wanted`
  bool wanted = false;       ///< which of the two
  bool certain = false;      ///< whether the second was certainly possible before the first
  bool settled = false;      ///< whether later runs need not check it again
};

/// The happens-before order of a recorded run, as vector clocks, and its races. It grows and
/// shrinks with the log, so the common start of two runs is processed only once.
class HappensBefore {
 public:
  /// Processes the new part of the log, and appends its races.
  void extend(const EventLog& log, std::vector<Race>& races);
  /// Drops all events from `kept` on. Call it before the log drops them.
  void truncate(const EventLog& log, std::size_t kept);

  /// Whether the event `earlier` happens before the event `later`; every event happens before
  /// itself.
  [[nodiscard]] bool before(const EventLog& log, std::uint32_t earlier, std::uint32_t later) const {
    return is_in(log.events()[earlier], clock(later));
  }
  /// For each actor, how many of its events happen before this one, including this one.
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
  /// An earlier event on which the current one depends, through that object.
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
  /// Whether anything stands between the candidate and the current event.
  [[nodiscard]] bool is_covered(const EventLog& log, const Candidate& first,
                                OperationKind second) const;
  void report(const EventLog& log, Race race, std::vector<Race>& races) const;
  void end_clock(const Event& event);
  void join(std::span<const std::uint32_t> clock);

  std::size_t width_ = 0;  ///< of a clock
  std::size_t known_ = 0;
  std::vector<std::uint32_t> clocks_;
  std::vector<std::uint32_t> wanted_clocks_;
  std::vector<std::uint32_t> now_;             ///< the clock being computed
  std::vector<std::vector<Entry>> histories_;  ///< by object: who has accessed it
  std::vector<Candidate> candidates_;
  bool needs_nothing_ = false;  ///< the current event is possible whatever the others have done
};

}  // namespace watchlab::sim
