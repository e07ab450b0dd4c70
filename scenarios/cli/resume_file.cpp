#include "scenarios/cli/resume_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "scenarios/campaign/campaign.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/command_line/output_file.hpp"
#include "scenarios/command_line/terminal.hpp"

namespace watchlab::scenarios {
namespace {

namespace fs = std::filesystem;

/// Empty unless the variable holds an absolute path, as the XDG Base Directory Specification asks.
fs::path folder_in(const char* variable) {
  const char* const value = std::getenv(variable);
  const fs::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : fs::path();
}

/// In the folder for temporary files anybody may have made a folder of this name, to be read here.
fs::path private_temporary_folder() {
  std::error_code failure;
  const fs::path path = fs::temp_directory_path(failure) / fmt::format("watchlab-{}", ::geteuid());
  (void)::mkdir(path.c_str(), S_IRWXU);
  struct stat found {};
  const bool exists = ::lstat(path.c_str(), &found) == 0;
  if (exists && (!S_ISDIR(found.st_mode) || found.st_uid != ::geteuid() ||
                 (found.st_mode & (S_IRWXG | S_IRWXO)) != 0)) {
    throw std::invalid_argument(fmt::format(
        "{} is no folder of this user alone; set HOME or XDG_STATE_HOME", path.string()));
  }
  return path;
}

}  // namespace

fs::path state_folder() {
  if (const fs::path state = folder_in("XDG_STATE_HOME"); !state.empty()) {
    return state / "watchlab";
  }
  if (const fs::path home = folder_in("HOME"); !home.empty()) {
    return home / ".local" / "state" / "watchlab";
  }
  return private_temporary_folder();
}

ResumeFile::ResumeFile(const std::string& default_name, const std::string& named, std::string line)
    : line_(std::move(line)) {
  const fs::path folder = state_folder();
  std::error_code failure;
  fs::create_directories(folder, failure);
  const std::string default_path = (folder / default_name).string();
  const std::string before = default_path + ".before";
  path_ = named.empty() ? default_path : named;
  is_own_ = path_ == default_path || path_ == before;
  if (named.empty()) {
    fs::rename(default_path, before, failure);
    earlier_ = failure ? "" : before;
  }
}

bool ResumeFile::is_kept() const {
  std::error_code failure;
  return fs::is_regular_file(path_, failure);
}

std::string unkept_text(const std::string& problem, bool has_ended, const std::string& resume) {
  return problem + (has_ended ? "; it came to its end all the same"
                    : !resume.empty()
                        ? "; what was kept before that is whole, and continues from there"
                        : "; it cannot continue from there");
}

void forget_when_reported(const std::string& path) {
  if (!path.empty() && flush_standard_output().empty()) {
    std::error_code failure;
    fs::remove(path, failure);
  }
}

namespace {

std::string transport_name(const Scenario& scenario) {
  return scenario.transport == sim::Transport::Wire ? "wire" : "direct";
}

Settings settings_of(const Scenario& scenario, const sim::ExploreOptions& options) {
  Settings settings{{"strategy", options.strategy},
                    {"seed", std::to_string(options.seed)},
                    {"shard", fmt::format("{}/{}", options.shard, options.shards)}};
  const Settings each_run = run_settings_of(scenario, options);
  settings.insert(settings.end(), each_run.begin(), each_run.end());
  return settings;
}

/// Explorations with other options have other files.
std::string file_name(const Scenario& scenario, const sim::ExploreOptions& options) {
  const std::string settings = settings_text(settings_of(scenario, options));
  return fmt::format("{}.{}.{}of{}.{:08x}.resume", scenario.name, options.strategy, options.shard,
                     options.shards, checksum_of(settings) >> 32U);
}

}  // namespace

Settings run_settings_of(const Scenario& scenario, const sim::ExploreOptions& options) {
  return {{"scenario", fmt::format("{:016x}", scenario.hash)},
          {"preemptions", std::to_string(options.preemptions_max)},
          {"early-advances", std::to_string(options.early_advances_max)},
          {"pct-depth", std::to_string(options.pct_depth)},
          {"steps", std::to_string(options.steps_max)},
          {"transport", transport_name(scenario)}};
}

std::string settings_text(const Settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  }
  return text;
}

Settings settings_from(const std::string& text) {
  Settings settings;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      throw std::invalid_argument(fmt::format("'{}' is no option and its value", word));
    }
    settings.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return settings;
}

std::string same_exploration(const Scenario& scenario, bool is_alone) {
  ChangedCall changed{.without = {"--resume", "--from"}, .stories = {&scenario}};
  if (!is_alone) {
    changed.names = {scenario.path};
    changed.without.emplace_back("--junit");  // which has the results of all
  }
  return same_call("explore", changed);
}

ExploreProgress::ExploreProgress(const Scenario& scenario, const CampaignOptions& campaign,
                                 const std::string& resume, const std::string& line)
    : ResumeFile(file_name(scenario, campaign.explore), resume, line),
      settings_(settings_of(scenario, campaign.explore)),
      continues_(!resume.empty()) {}

SearchState ExploreProgress::read() const {
  return continues_ ? read_search_state(path(), settings_) : SearchState();
}

void ExploreProgress::save(const SearchState& state) {
  problem_ = write_file_synced(path(), search_state_text(state, settings_));
}

}  // namespace watchlab::scenarios
