#pragma once

#include <filesystem>
#include <string>

#include "scenarios/campaign/campaign.hpp"
#include "scenarios/campaign/sealed.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// Where commands keep what a later call needs: $XDG_STATE_HOME/watchlab, else
/// ~/.local/state/watchlab, else a folder among temporary files. It need not be there.
[[nodiscard]] std::filesystem::path state_folder();

/// The file that says where a long command stands, so that a later call continues from there. It is
/// in the state folder unless the caller has named another one.
class ResumeFile {
 public:
  /// `default_name` is the file's name in that folder, `named` the file that the caller continues
  /// from, "" for a new start. Then what an earlier call has left at the default place is set
  /// aside as `path.before`. `line` is the command line that plays the same, without where it
  /// continues. Makes the folder; whether that worked is seen when the file is written.
  ResumeFile(const std::string& default_name, const std::string& named, std::string line);

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Whether a save has left a file there, whole as every file that is written.
  [[nodiscard]] bool is_kept() const;
  /// The line that continues from here.
  [[nodiscard]] std::string line() const { return line_ + " --resume" + for_shell({path_}); }
  /// The line that continues from what was set aside; "" for nothing.
  [[nodiscard]] std::string earlier_line() const {
    return earlier_.empty() ? "" : line_ + " --resume" + for_shell({earlier_});
  }
  /// The file, to be removed when all is reported; "" when it is one that the caller has named.
  [[nodiscard]] std::string own_file() const { return is_own_ ? path_ : ""; }

 private:
  std::string line_;
  std::string path_;
  std::string earlier_;
  bool is_own_;  ///< at the default place, or what was set aside there
};

/// What to say when a save has failed because of `problem`, and `resume` is the line that continues
/// from the one before; "" for none.
[[nodiscard]] std::string unkept_text(const std::string& problem, bool has_ended,
                                      const std::string& resume);

/// Removes what says where a command stood, "" for nothing, when all that it reported has arrived.
void forget_when_reported(const std::string& path);

/// The options that decide what comes of a run of a given number, strategy and seed.
[[nodiscard]] Settings run_settings_of(const Scenario& scenario,
                                       const sim::ExploreOptions& options);
/// As one word of a line of `explore --json`, and read again. Throws `std::invalid_argument` for
/// what is none.
[[nodiscard]] std::string settings_text(const Settings& settings);
[[nodiscard]] Settings settings_from(const std::string& text);

/// The present call of `explore` for that story from its beginning: as it is when the call names it
/// alone, else without the others. Where it continues from is to be added.
[[nodiscard]] std::string same_exploration(const Scenario& scenario, bool is_alone);

/// Where an exploration stands, in its file. Not for dfs and dpor.
class ExploreProgress : public ResumeFile {
 public:
  /// For one that continues from the file `resume`, and keeps that up to date; "" for a new one.
  /// `line` as for `ResumeFile`.
  ExploreProgress(const Scenario& scenario, const CampaignOptions& campaign,
                  const std::string& resume, const std::string& line);

  /// Where the earlier one stopped: all zero for a new exploration. Throws `std::invalid_argument`,
  /// with a message, for what is no such file, or belongs to other options.
  [[nodiscard]] SearchState read() const;
  /// Keeps what it receives, and what is wrong when that cannot be written.
  void save(const SearchState& state);
  [[nodiscard]] const std::string& problem() const { return problem_; }

  /// Whether there is a file to continue from: that of the last save, or of one before that failed.
  [[nodiscard]] bool can_continue() const { return problem_.empty() || is_kept(); }

 private:
  Settings settings_;
  bool continues_;
  std::string problem_;
};

}  // namespace watchlab::scenarios
