#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/campaign/sealed.hpp"
#include "scenarios/cli/report.hpp"
#include "sim/explore/coverage.hpp"
#include "sim/explore/explore.hpp"

namespace watchlab::scenarios {

/// The runs that one process has played: those of a shard with numbers from `from` up to `to`.
struct RunRange {
  static constexpr char kPlayed = '.';       ///< all that there were to be played
  static constexpr char kExhausted = 'e';    ///< all that there are
  static constexpr char kInterrupted = 'i';  ///< its time was over before its end
  static constexpr char kStopped = 's';      ///< a signal came before its end

  std::size_t shard = 0;
  std::size_t shards = 1;
  std::size_t from = 0;
  std::size_t to = 0;
  char end = kPlayed;

  bool operator==(const RunRange&) const = default;
};

/// What came of exploring a scenario, in one process or in several: a line of `explore --json` and
/// of `merge --json`. Merging is associative and does not depend on the order, but for the seconds.
struct CampaignRecord {
  ReportEntry entry;  ///< `seconds` is the sum over all processes
  std::string strategy;
  std::uint64_t seed = 0;
  std::vector<RunRange> parts;
  std::size_t schedules = 0;  ///< how many there are to be played
  std::uint64_t digest = 0;   ///< see `sim::ExploreResult`
  std::size_t blocked = 0;
  std::size_t failing_run = 0;  ///< the number of the failure, where there is one
  double explored = 0;          ///< the part of the tree that lies behind, for dfs and dpor
  /// See `sim::ExploreResult`.
  std::vector<std::string> relative_to = {};
  sim::Coverage coverage;
  Settings settings;   ///< what decides, beside strategy and seed, what comes of a run
  std::string resume;  ///< the line that continues; "" when there is none

  /// The entry with all the rest in `more`, to be written.
  [[nodiscard]] ReportEntry as_entry() const;
  /// Reads a line of JSON, which is sealed. Nothing for a line of something else than an
  /// exploration; throws `std::invalid_argument`, with a message, for what is damaged.
  [[nodiscard]] static std::optional<CampaignRecord> from_line(std::string_view line);

  /// Nothing is left to explore in any shard.
  [[nodiscard]] bool is_exhausted() const;
  /// A shard has stopped before its end, and nothing was received from it since.
  [[nodiscard]] bool is_interrupted() const;
  /// The same for one that a signal has stopped, so that nothing is known of the whole.
  [[nodiscard]] bool is_stopped() const;
  [[nodiscard]] bool is_same_campaign(const CampaignRecord& other) const;
  /// Whether all runs of the other record are among those of this one.
  [[nodiscard]] bool covers(const CampaignRecord& other) const;
  /// Takes in what another process has found. Throws `std::invalid_argument` when some runs are in
  /// both, or when the two are parts of different wholes: by their shards, or by an option.
  void merge(const CampaignRecord& other);
  /// The shards from which nothing was received: "2/4, 3/4"; "" for none.
  [[nodiscard]] std::string missing() const;
  /// The same numbers as `sim::explore` gives them, for texts.
  [[nodiscard]] sim::ExploreResult as_result() const;
};

}  // namespace watchlab::scenarios
