#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/cli/campaign_record.hpp"
#include "scenarios/cli/explore_scenario.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/command_line/console.hpp"

namespace watchlab::scenarios {

/// Where an exploration of several stories stands when a signal ends it: which have ended, and the
/// file of each that had begun. A story that had not begun, or is searched by dfs or dpor, leaves
/// no file, and begins when the whole continues.
class FolderProgress {
 public:
  /// Reads the file that `arguments.resume` names, if it names one. Throws `std::invalid_argument`,
  /// with a message, for what is no such file or belongs to other options. `files` are all that
  /// the arguments name.
  FolderProgress(const ExploreArguments& arguments, const std::vector<CatalogueEntry>& files);

  /// What came of the story of that path, if it had ended before.
  [[nodiscard]] std::optional<CampaignRecord> ended(const std::string& path) const;
  /// The file that the story continues from; "" for one that begins.
  [[nodiscard]] std::string resume_of(const std::string& path) const;

  /// Takes what came of one. Notes the story as ended unless a signal kept it from that.
  void add(const std::string& path, const Explored& explored);
  /// After a signal: what came of all in a line, and the line that continues, with where all stand
  /// kept for that; or the line that begins again, and false, when that cannot be kept.
  [[nodiscard]] bool report_rest(std::size_t stories, Report& report, Console& console);
  /// All has ended: nothing is left to continue from.
  void forget() const;

 private:
  struct Standing {
    std::optional<CampaignRecord> ended;
    std::string resume;
  };

  /// Returns what is wrong when that cannot be written; "" for nothing.
  [[nodiscard]] std::string keep() const;

  std::string line_;
  std::string path_;
  bool is_own_;
  std::map<std::string, Standing> stories_;
  std::string unkept_;  ///< why where one stands that was stopped is not kept; "" for nothing
  bool begins_again_ = false;  ///< one that was stopped, instead of going on where it stood
  std::size_t held_ = 0;
  std::size_t failed_ = 0;
  std::size_t stopped_ = 0;
};

}  // namespace watchlab::scenarios
