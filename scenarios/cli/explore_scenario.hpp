#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/cli/campaign_record.hpp"
#include "scenarios/command_line/console.hpp"
#include "scenarios/language/catalogue.hpp"
#include "sim/explore/explore.hpp"
#include "sim/kernel/run_result.hpp"

namespace watchlab::scenarios {

/// What the command line says of an exploration.
struct ExploreArguments {
  CommonOptions common;
  std::vector<std::string> names;
  std::optional<std::string> strategy;
  std::optional<std::size_t> schedules;
  std::optional<std::size_t> seed;
  std::optional<int> preemptions;
  std::optional<int> early_advances;
  std::optional<int> pct_depth;
  runtime::Duration time{0};  ///< 0 for no limit
  std::size_t jobs = 1;
  std::size_t from = 0;
  std::string shard;
  std::string resume;
  std::string until_unseen;
  runtime::Duration save_every = std::chrono::seconds(30);
  bool continues = false;  ///< after a failure, to collect the different ones
  std::string transport;   ///< "" for the one that each file asks for
  std::string machine;     ///< of all clients; "" for those that each file asks for
  std::string memory;      ///< refused: stories have no weak memory
  bool names_one = true;   ///< of several files, those that a signal stops continue together
  std::string among;       ///< before how far one is: "3 of 98 scenarios, "; "" for one alone
};

/// What came of exploring one file.
struct Explored {
  CampaignRecord record;
  sim::ExploreResult result;
  sim::RunResult failing;
  std::string happened;      ///< before it failed, some lines
  std::string why;           ///< a few lines on what makes the difference; "" for nothing
  std::size_t left_out = 0;  ///< expectations that depend on the order
  bool bad_input = false;
  std::string earlier;        ///< the line that continues one that was ended before this
  std::string problem;        ///< why it could not be kept where it stands; "" for nothing
  std::string finished_file;  ///< says where it stood; to be removed when all is reported
  std::string resume_file;    ///< says where it stands; "" for nothing to continue from
  std::string again;          ///< of dfs and dpor: the line that begins again; "" for nothing
  bool is_stopped = false;    ///< more is left, and it was asked to end
  bool stopped_by_signal = false;
  bool has_not_begun = false;  ///< a signal came first, and nothing is kept
};

/// The different failures of an exploration that continues after each, an entry each.
[[nodiscard]] std::vector<ReportEntry> failure_entries(const Explored& explored);

/// Throws `std::invalid_argument` when an option makes no sense, or two do not go together.
void check(const ExploreArguments& arguments);

/// Explores one scenario, showing progress on the console if there is one. Ends early, with a line
/// that continues, when time is over or a signal asks for it. Where it stands it writes to a file,
/// again and again and at each new failure; but dfs and dpor begin again. Never throws: what cannot
/// be explored is bad input.
[[nodiscard]] Explored explore_file(const CatalogueEntry& file, const ExploreArguments& arguments,
                                    Console* progress);

}  // namespace watchlab::scenarios
