#pragma once

#include <string>

#include "scenarios/campaign/campaign.hpp"
#include "scenarios/campaign/sealed.hpp"
#include "scenarios/cli/resume_file.hpp"
#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// The options that decide what comes of a run of a given number, strategy and seed.
[[nodiscard]] Settings run_settings_of(const Scenario& scenario,
                                       const sim::ExploreOptions& options);
/// As one word of a line of `explore --json`, and read again. Throws `std::invalid_argument` for
/// what is none.
[[nodiscard]] std::string settings_text(const Settings& settings);
[[nodiscard]] Settings settings_from(const std::string& text);

/// Where an exploration stands, in its file.
class ExploreProgress : public ResumeFile {
 public:
  /// For one that goes on from the file `resume`, and keeps that up to date; "" for a new one.
  ExploreProgress(const Scenario& scenario, const CampaignOptions& campaign,
                  const std::string& resume);

  /// Where the earlier one stopped: all zero for a new exploration. Throws `std::invalid_argument`,
  /// with a sentence, for what is no such file, or belongs to other options.
  [[nodiscard]] SearchState read() const;
  /// Keeps what it is told, and what is wrong when that cannot be written.
  void save(const SearchState& state);
  [[nodiscard]] const std::string& problem() const { return problem_; }

  /// Whether there is a file to go on from: that of the last save, or of one before that failed.
  [[nodiscard]] bool can_go_on() const { return problem_.empty() || is_kept(); }

 private:
  Settings settings_;
  bool goes_on_;
  std::string problem_;
};

}  // namespace watchlab::scenarios
