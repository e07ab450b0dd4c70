#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "scenarios/cli/explore_scenario.hpp"
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

  /// Whether the story of that path had ended before.
  [[nodiscard]] bool has_ended(const std::string& path) const;
  /// The file that the story continues from; "" for one that begins.
  [[nodiscard]] std::string resume_of(const std::string& path) const;

  /// Takes what came of one. Notes the story as ended unless a signal kept it from that.
  void add(const std::string& path, const Explored& explored);
  /// What came of all in a line, and the line that continues, which is kept for that.
  void print_rest(std::size_t stories, Console& console);
  /// All has ended: nothing is left to continue from.
  void forget() const;

 private:
  struct Standing {
    bool ended = false;
    std::string resume;
  };

  std::string line_;
  std::string path_;
  bool is_own_;
  std::map<std::string, Standing> stories_;
  bool begins_again_ = false;  ///< one that was stopped, instead of going on where it stood
  std::size_t held_ = 0;
  std::size_t failed_ = 0;
  std::size_t stopped_ = 0;
};

}  // namespace watchlab::scenarios
